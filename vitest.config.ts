import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * Four suites over one tree: `unit` starts nothing, `infrastructure` synthesizes the stack, `integration` and
 * `browser` run the gateway on loopback through the local runtime.
 */
export default defineConfig({
  test: {
    // Most suites wait for other processes more than they compute: two at a time even on two processors.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 15_000 } },
      {
        test: {
          name: 'infrastructure',
          include: ['test/infrastructure/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 90_000, hookTimeout: 90_000 } },
    ],
  },
});
