/** Which produced files belong to which account, so that they go when it goes. The files are in the ArtifactStore. */
export interface AccountFiles {
  add(accountId: string, file: { readonly basename: string; readonly expiresAtMs: number }): Promise<void>;
  /** Basenames of the files that have not expired, oldest first. */
  list(accountId: string): Promise<readonly string[]>;
  sweep(): Promise<number>;
}
