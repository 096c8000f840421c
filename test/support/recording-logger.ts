import type { LogFields, Logger } from '#application/ports/logger.js';

export interface LoggedLine {
  readonly level: keyof Logger;
  readonly fields: LogFields;
  readonly message: string;
}

/** Keeps what is logged. */
export function createRecordingLogger(): Logger & { readonly lines: LoggedLine[] } {
  const lines: LoggedLine[] = [];
  const at = (level: keyof Logger) => (fields: LogFields, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
