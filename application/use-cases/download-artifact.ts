import type { ArtifactStore, StoredArtifact } from '#application/ports/artifact-store.js';
import { ServiceError } from '#domain/errors.js';

export interface DownloadArtifactInput {
  readonly fileBasename: string;
  readonly actualFilename: string;
}

/** A produced file. Rejects with NOT_FOUND, the same whether it never was, has expired, or is called otherwise. */
export interface DownloadArtifact {
  (input: DownloadArtifactInput): Promise<StoredArtifact>;
  /** Where it can be fetched without us, for a moment; undefined where the store gives no such addresses. Rejects as above. */
  link(input: DownloadArtifactInput): Promise<string | undefined>;
}

export function createDownloadArtifact({ artifacts }: { readonly artifacts: ArtifactStore }): DownloadArtifact {
  const found = <T>(what: T | undefined): T => {
    if (what === undefined) throw new ServiceError('NOT_FOUND', { what: 'The file' });
    return what;
  };
  const download = async ({ fileBasename, actualFilename }: DownloadArtifactInput) =>
    found(await artifacts.get(fileBasename, actualFilename));
  return Object.assign(download, {
    async link({ fileBasename, actualFilename }: DownloadArtifactInput) {
      return artifacts.link === undefined ? undefined : found(await artifacts.link(fileBasename, actualFilename));
    },
  });
}
