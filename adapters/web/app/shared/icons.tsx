import type { ComponentChildren } from 'preact';

/** Icons of 16 units, drawn with one line width; always beside or inside something that has a name. */
const icon = (content: ComponentChildren) => () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    {content}
  </svg>
);

export const OpenIcon = icon(
  <path d="M2 4.500a1 1 0 0 1 1-1h3.200l1.500 1.700H13a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />,
);
export const UndoIcon = icon(<path d="M5.500 3 2.500 6l3 3M3 6h6a4 4 0 0 1 0 8H6" />);
export const RedoIcon = icon(<path d="m10.500 3 3 3-3 3M13 6H7a4 4 0 0 0 0 8h3" />);
export const PlusIcon = icon(<path d="M8 3v10M3 8h10" />);
export const MinusIcon = icon(<path d="M3 8h10" />);
export const FitIcon = icon(<path d="M6 2.500H2.500V6M10 2.500h3.500V6M6 13.500H2.500V10M10 13.500h3.500V10" />);
export const CloseIcon = icon(<path d="m4 4 8 8M12 4l-8 8" />);
export const CopyIcon = icon(
  <path d="M5.500 5.500V3a.8.8 0 0 1 .8-.8h6.700a.8.8 0 0 1 .8.8v6.700a.8.8 0 0 1-.8.8h-2.500M3 5.500h6.700a.8.8 0 0 1 .8.8V13a.8.8 0 0 1-.8.8H3a.8.8 0 0 1-.8-.8V6.300a.8.8 0 0 1 .8-.8z" />,
);
export const CheckIcon = icon(<path d="m3 8.500 3.200 3.200L13 4.800" />);
export const DownloadIcon = icon(<path d="M8 2.500v7.500M4.800 7 8 10.200 11.200 7M2.500 13.500h11" />);
export const TargetIcon = icon(
  <>
    <circle cx="8" cy="8" r="4.500" />
    <path d="M8 1.500v3M8 11.500v3M1.500 8h3M11.500 8h3" />
  </>,
);
export const ResetIcon = icon(<path d="M3 8a5 5 0 1 0 1.500-3.500M3 2.500v3h3" />);
export const ThemeIcon = icon(
  <>
    <circle cx="8" cy="8" r="5.500" />
    <path d="M8 2.500v11a5.500 5.500 0 0 0 0-11z" fill="currentColor" />
  </>,
);
export const HelpIcon = icon(
  <>
    <circle cx="8" cy="8" r="6" />
    <path d="M6.300 6.300a1.800 1.800 0 1 1 2.500 1.600c-.6.3-.8.7-.8 1.300M8 11.400v.1" />
  </>,
);
export const WarningIcon = icon(<path d="M8 2.500 14.200 13H1.800zM8 6.700v3M8 11.400v.1" />);
export const NodesIcon = icon(
  <>
    <path d="M3.500 11.500C4 6 7 4 12.500 4.500" />
    <path d="M2.300 10.300h2.400v2.400H2.300zM11.300 3.300h2.400v2.400h-2.400z" />
  </>,
);
export const GridIcon = icon(<path d="M2.500 2.500h11v11h-11zM2.500 8h11M8 2.500v11" />);
