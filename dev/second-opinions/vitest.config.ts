import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Settings of the second opinions that run as tests; `run.ts` starts each with its own file and settings. */
export default defineConfig({
  test: {
    name: 'second-opinions',
    root: join(import.meta.dirname, '..', '..'),
    include: ['dev/second-opinions/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
