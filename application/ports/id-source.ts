/** Names that nobody can guess. */
export interface IdSource {
  /** 128 random bits in 22 URL-safe characters (A-Z a-z 0-9 - _). */
  next(): string;
}
