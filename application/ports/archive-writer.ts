export interface ArchiveEntry {
  /** A plain file name: no folders, and no other entry's. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Puts files into one. */
export interface ArchiveWriter {
  readonly mediaType: string;
  /** Without the dot. */
  readonly extension: string;
  /**
   * The archive piece by piece. An entry is asked for when the one before it is written; what asking throws, the archive
   * throws. Stops asking when the reader stops reading.
   */
  write(entries: AsyncIterable<ArchiveEntry>): AsyncIterable<Uint8Array>;
}
