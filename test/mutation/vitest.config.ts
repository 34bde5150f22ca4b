import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { MUTATION_AREAS, MUTATION_TESTS } from './areas.ts';

const chosen = process.env[MUTATION_TESTS]?.split(',') ?? MUTATION_AREAS.flatMap(({ tests }) => tests);

/** The unit tests of one area, or of all of them. */
export default defineConfig({
  test: {
    include: [...chosen],
    setupFiles: [join(import.meta.dirname, 'no-time-limits.ts')],
    testTimeout: 15_000,
  },
});
