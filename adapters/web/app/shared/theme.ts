const KEY = 'burin-theme';
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Private windows of some browsers refuse to keep anything. */
export const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
export const store = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Then it holds for this page only.
  }
};

export const storedTheme = (): Theme => {
  const name = stored(KEY);
  return THEMES.find((theme) => theme === name) ?? 'system';
};

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function changeTheme(theme: Theme): void {
  store(KEY, theme);
  applyTheme(theme);
}

/** The theme that was chosen before; to be called before anything is drawn. */
export const startTheme = (): void => applyTheme(storedTheme());

/** Whether the page is dark now, by choice or by the system's. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
