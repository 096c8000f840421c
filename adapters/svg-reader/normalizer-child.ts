import { Resvg } from '@resvg/resvg-js';
import type { NormalizerAnswer, NormalizerRequest } from './normalizer.js';

/**
 * The process in which the normaliser runs: its library ends its process over markup that it has a fault with, where no error
 * can be caught. One request at a time; it ends with its parent.
 */
const FAMILY = 'DejaVu';

function normalize({ markup, fontFiles }: NormalizerRequest): NormalizerAnswer {
  try {
    const resolved = new Resvg(markup, {
      font: {
        loadSystemFonts: false,
        fontFiles: [...fontFiles],
        defaultFontFamily: `${FAMILY} Sans`,
        serifFamily: `${FAMILY} Serif`,
        sansSerifFamily: `${FAMILY} Sans`,
        cursiveFamily: `${FAMILY} Serif`,
        fantasyFamily: `${FAMILY} Sans`,
        monospaceFamily: `${FAMILY} Sans Mono`,
      },
      logLevel: 'off',
    });
    return { text: resolved.toString() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (request: NormalizerRequest) => process.send!(normalize(request)));
process.on('disconnect', () => process.exit());
