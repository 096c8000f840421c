/** Numbers and names as people read them. */

const whole = new Intl.NumberFormat('en');

export const formatCount = (count: number): string => whole.format(count);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / (1024 * 1024), 'MB'];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

export const formatMs = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** A share of one in percent; what is there and rounds to nothing is shown as little. */
export const formatShare = (share: number): string => {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
};

/** `line_fit_tolerance` as `Line fit tolerance`. */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The name of a file without its extension. */
export const baseName = (fileName: string): string => fileName.replace(/\.[A-Za-z0-9]{1,5}$/, '') || fileName;
