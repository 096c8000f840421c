import { createMemoryRateLimiter } from '#adapters/limits/memory-rate-limiter.js';
import { describeRateLimiter } from '#test/contracts/rate-limiter.js';

describeRateLimiter('the limiter of one process', async (clock) => createMemoryRateLimiter({ clock }));
