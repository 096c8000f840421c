import Type, { type Static } from './type.js';

/** What callers send, where it is not the form of a conversion (that is the parameter table). */

export const DownloadQuery = Type.Object(
  {
    fileBasename: Type.String({ description: 'The downloadPathBasename that was given out.' }),
    actualFilename: Type.String({ description: 'The downloadActualFilename that was given out with it.' }),
  },
  { additionalProperties: false },
);
export type DownloadQuery = Static<typeof DownloadQuery>;
