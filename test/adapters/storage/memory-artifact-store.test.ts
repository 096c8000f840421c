import { createMemoryArtifactStore } from '#adapters/storage/memory-artifact-store.js';
import { describeArtifactStore } from '#test/contracts/artifact-store.js';

describeArtifactStore('the memory', async (deps) => createMemoryArtifactStore(deps));
