import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { DownloadArtifact } from '#application/use-cases/download-artifact.js';
import { fileHeaders } from '../file-headers.js';
import { DownloadQuery } from '../schemas/requests.js';

/** GET /download-file: needs no key, the name is the secret. */
export function registerDownload(app: FastifyInstance, downloadArtifact: DownloadArtifact): void {
  app.get<{ Querystring: DownloadQuery }>(
    '/download-file',
    { schema: { querystring: DownloadQuery } },
    async (request, reply) => {
      const elsewhere = await downloadArtifact.link(request.query);
      if (elsewhere !== undefined) return reply.header('cache-control', 'private, no-store').redirect(elsewhere, 302);
      const { content, fileName, mediaType, sizeBytes } = await downloadArtifact(request.query);
      return reply
        .headers({ ...fileHeaders(mediaType, fileName), 'content-length': sizeBytes })
        .send(content instanceof Readable ? content : Readable.from(content));
    },
  );
}
