/** A produced file that is to be kept for a while. */
export interface NewArtifact {
  readonly bytes: Uint8Array;
  /** Such as `image/svg+xml`. */
  readonly mediaType: string;
  /** The name under which it is downloaded; must be given back exactly to get it. */
  readonly fileName: string;
  /** It can be had for this long. */
  readonly lifetimeMs: number;
  /** Kept and expiring with it, and never handed out: the Drawing behind an SVG, so that a later export is exact. */
  readonly companion?: Uint8Array;
}

export interface ArtifactReceipt {
  /** 128 random bits in 22 URL-safe characters: who knows the name may have the file. */
  readonly basename: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

export interface StoredArtifact extends ArtifactReceipt {
  readonly mediaType: string;
  /** To be read to its end, or destroyed where it is a stream. Stays readable when the artifact expires meanwhile. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Room set aside for one file that is still to be made. Whichever of the two comes first ends it. */
export interface ArtifactRoom {
  /** Keeps the file, however large it became: what was set aside was a guess. All or nothing: a crash leaves no half file. */
  put(artifact: NewArtifact): Promise<ArtifactReceipt>;
  release(): void;
}

/**
 * Where produced files wait to be fetched. A name that never was, one that has expired, and a wrong file name are all the
 * same: undefined. Anything else that goes wrong rejects.
 */
export interface ArtifactStore {
  /** Before anything is made: rejects with STORAGE_FULL where so much does not fit even after expired files are swept. */
  reserve(bytes: number): Promise<ArtifactRoom>;
  /** Keeps a file that is there already: room for it, and into the room. */
  put(artifact: NewArtifact): Promise<ArtifactReceipt>;
  get(basename: string, fileName: string): Promise<StoredArtifact | undefined>;
  /**
   * A short-lived address from which a client may fetch the file itself, under its name; left out by stores that have none. Who
   * follows it is answered by the store, not by the service.
   */
  link?: (basename: string, fileName: string) => Promise<string | undefined>;
  /** What was put beside it. Needs no file name: only this service's own code asks. */
  companion(basename: string): Promise<Uint8Array | undefined>;
  /** Removes one before its time; nothing happens where it has gone already. */
  remove(basename: string): Promise<void>;
  /** Removes what has expired; resolves with how many artifacts went. */
  sweep(): Promise<number>;
}
