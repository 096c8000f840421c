import { fileURLToPath } from 'node:url';
import type { ModelFile } from './load-model.js';

/** The model that comes with Burin; model/README.md says what it was trained on and how good it is. */
export const OWN_MODEL: ModelFile = {
  path: fileURLToPath(new URL('../../../adapters/restoration/model/burin-restore-2x.onnx', import.meta.url)),
  sha256: 'dab8ec6a342b2b09a85a2cdd3c074022ae9701a3ed27cfb16bcff699c3230fd6',
};
