import type { ArtifactStore, StoredArtifact } from '#application/ports/artifact-store.js';
import { ServiceError } from '#domain/errors.js';

export interface DownloadArtifactInput {
  readonly fileBasename: string;
  readonly actualFilename: string;
}

/** A produced file. Rejects with NOT_FOUND, the same whether it never was, has expired, or is called otherwise. */
export type DownloadArtifact = (input: DownloadArtifactInput) => Promise<StoredArtifact>;

export const createDownloadArtifact =
  ({ artifacts }: { readonly artifacts: ArtifactStore }): DownloadArtifact =>
  async ({ fileBasename, actualFilename }) => {
    const artifact = await artifacts.get(fileBasename, actualFilename);
    if (artifact === undefined) throw new ServiceError('NOT_FOUND', { what: 'The file' });
    return artifact;
  };
