import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { MUTATION_AREA, MUTATION_AREAS } from './areas.ts';

const areas = MUTATION_AREAS.filter(({ name }) => name === (process.env[MUTATION_AREA] ?? name));

/** The unit tests of one area, or of all of them. */
export default defineConfig({
  test: {
    include: areas.flatMap(({ tests }) => tests),
    // As in the ordinary suites. A change is one run of some files: each in a worker of its own takes several times as long.
    isolate: false,
    tags: [{ name: 'long' }],
    setupFiles: [join(import.meta.dirname, 'no-time-limits.ts')],
    testTimeout: Math.max(...areas.map(({ testTimeoutMs }) => testTimeoutMs)),
  },
});
