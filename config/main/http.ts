import { runService } from '#config/run-service.js';

await runService(process.env);
