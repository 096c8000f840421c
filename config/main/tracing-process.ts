import { serveTracing } from '#adapters/tracing/tracing-process.js';
import { createVectorizeToFile } from '#application/use-cases/vectorize-to-file.js';
import { composeVectorizeImage } from '../compose.js';

// Each picture in one thread: the other processes have the other cores.
serveTracing(createVectorizeToFile({ vectorizeImage: composeVectorizeImage() }));
