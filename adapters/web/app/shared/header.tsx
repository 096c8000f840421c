import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import mark from '../../assets/mark.svg';
import { ThemeIcon } from './icons.js';
import { changeTheme, storedTheme, THEMES, type Theme } from './theme.js';

function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] as Theme;
  const change = () => {
    changeTheme(next);
    setTheme(next);
  };
  return (
    <button type="button" class="icon-button" aria-label={`Theme: ${theme}. Change to ${next}`} onClick={change}>
      <ThemeIcon />
    </button>
  );
}

interface HeaderProps {
  readonly page: 'studio' | 'dashboard';
  readonly children?: ComponentChildren;
}

/** The bar at the top of every page. */
export const Header = ({ page, children }: HeaderProps) => (
  <header class="top">
    <a class="brand" href="/" aria-label="Burin, to the studio">
      <img src={mark} alt="" width="24" height="24" />
      <span>Burin</span>
    </a>
    <div class="top-tools">{children}</div>
    <nav aria-label="Pages">
      <a href="/" aria-current={page === 'studio' ? 'page' : undefined}>
        Studio
      </a>
      <a href="/dashboard" aria-current={page === 'dashboard' ? 'page' : undefined}>
        Dashboard
      </a>
      <a href="/docs">Guide</a>
    </nav>
    <ThemeButton />
  </header>
);
