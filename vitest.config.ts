import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Ends a test that hangs. No measure of speed: on a busy machine everything may take many times as long. */
const HANGS_AFTER_MS = 240_000;

/** Suites that run the gateway on loopback through the local runtime. */
const GATEWAY_SUITES = ['integration', 'browser', 'long'];

/**
 * Suites over one tree: `unit` starts nothing, `infrastructure` synthesizes the stack, `integration` and `browser` run the
 * gateway; `long` says what they say over more cases and is no part of `npm test`.
 */
export default defineConfig({
  test: {
    // Files that one worker runs share what they import, which is much of their time; what a test sets up it undoes.
    isolate: false,
    // Most suites wait for other processes more than they compute: three at a time even on two processors.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    expect: { poll: { timeout: 60_000 } },
    projects: ['unit', 'infrastructure', ...GATEWAY_SUITES].map((name) => ({
      extends: true,
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        globalSetup: GATEWAY_SUITES.includes(name) ? ['test/support/prepared-data.ts'] : [],
      },
    })),
  },
});
