import type { AccountFiles } from './ports/account-files.js';
import type { ArtifactReceipt, ArtifactStore, NewArtifact } from './ports/artifact-store.js';
import { roomForDrawing } from './room-for-drawing.js';

export interface KeepFileDeps {
  readonly artifacts: ArtifactStore;
  /** Knows whose files are whose. */
  readonly files: AccountFiles;
}

export interface FileOwner {
  /** Undefined where it is nobody's. */
  readonly accountId: string | undefined;
  /** Of what the file is made from. */
  readonly sourceBytes: number;
}

/**
 * Makes a file and keeps it for its account. The room is set aside first: rejects with STORAGE_FULL before anything is made, and
 * as `make` does. A file whose owner cannot be noted is not kept.
 */
export async function keepFile<Made extends { readonly artifact: NewArtifact }>(
  { artifacts, files }: KeepFileDeps,
  { accountId, sourceBytes }: FileOwner,
  make: () => Promise<Made>,
): Promise<Made & { readonly receipt: ArtifactReceipt }> {
  const room = await artifacts.reserve(roomForDrawing(sourceBytes));
  try {
    const made = await make();
    const receipt = await room.put(made.artifact);
    if (accountId !== undefined)
      await files.add(accountId, receipt).catch(async (error: unknown) => {
        await artifacts.remove(receipt.basename);
        throw error;
      });
    return { ...made, receipt };
  } finally {
    room.release();
  }
}
