export type LogFields = Readonly<Record<string, unknown>>;

/** Structured lines for the people who run the service. An error goes into the field `err`, with its cause. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
