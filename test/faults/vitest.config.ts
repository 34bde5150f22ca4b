import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The whole fault matrix; writes its result to contributing/faults.md. Rows need real processes and seconds, so they run alone. */
export default defineConfig({
  test: {
    name: 'faults',
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/faults/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    fileParallelism: false,
    reporters: ['default', join(import.meta.dirname, 'support', 'matrix-reporter.ts')],
  },
});
