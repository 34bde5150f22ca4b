import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import FirstFiles from './test/support/first-files.ts';

/** Ends a test that hangs. No measure of speed: on a busy machine everything may take many times as long. */
const HANGS_AFTER_MS = 240_000;
/** A condition that is awaited may take nearly as long: the failure then says which one did not come. */
const POLLS_FOR_MS = 200_000;

/** Suites that start gateways wait for other processes more than they compute: four at a time even on two processors. */
const WAITING_WORKERS = Math.max(4, availableParallelism());
/**
 * The others compute, and each worker loads all that they import: one more than there are processors, as some files wait for a while. With
 * five workers on two processors these suites cost a quarter more.
 */
const COMPUTING = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 2 } };
/** `npm run test:long` sets it. */
const IS_LONG = process.env.DRAWS === 'all';
/** What takes few files in `npm test`. Each worker loads all that they import once more, and starts a browser: one for each processor. */
const FEW_FILES = { maxWorkers: IS_LONG ? WAITING_WORKERS : availableParallelism(), sequence: { groupOrder: 0 } };
const MANY_FILES = { maxWorkers: WAITING_WORKERS, sequence: { groupOrder: 1 } };

const SCHEDULE = { unit: COMPUTING, infrastructure: COMPUTING, integration: MANY_FILES, browser: FEW_FILES };

/** What of the proxy's tests `npm test` runs through the second door: what a front door can change. `npm run test:long` runs all. */
const SECOND_DOOR = ['requests', 'verify', 'iam-callers'].map((name) => `test/integration/proxy/${name}.test.ts`);
/** `true` for all of the proxy's tests through the second door, `rest` for those that `npm test` leaves out. */
const WHOLE = process.env.WHOLE_SECOND_DOOR;

/** Files that `npm test` does not load, as all of their tests are long. */
const WITHOUT_FILES = (process.env.WITHOUT_FILES ?? '').split(',').filter((file) => file !== '');

/** A worker that needs more ends with an error that says so, and the machine is not brought to a halt. */
const HEAP_MAX = '--max-old-space-size=1536';
/** Young objects have room from the start: collecting them takes 3 % less processor time. */
const YOUNG_HEAP_MIN = '--min-semi-space-size=16';

/**
 * Five suites over one tree: `unit` starts nothing, `infrastructure` synthesizes the stack, `integration` and
 * `browser` run the gateway on loopback through the local runtime, `function-url` the proxy's tests once more through its second door.
 */
export default defineConfig({
  test: {
    // Of `npm run test:costs`: writes down what each file takes.
    ...(process.env.TEST_COSTS === undefined ? {} : { runner: './test/support/cost-runner.ts' }),
    // Files that one worker runs share what they import, which is much of their time; what a test sets up it undoes.
    isolate: false,
    // Node imports the sources itself and keeps what V8 compiled (NODE_COMPILE_CACHE): nothing here mocks a module or asks Vite for one.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ['./test/support/quick-imports.ts'],
    sequence: { sequencer: FirstFiles },
    execArgv: [HEAP_MAX, YOUNG_HEAP_MIN],
    tags: [
      {
        name: 'long',
        description: 'Takes seconds, or repeats a claim over more cases: only npm run test:long runs it',
      },
      { name: 'first', description: 'A small file that takes long: starts first' },
      { name: 'drawn', description: 'Draws random cases: a quarter in npm test, all in npm run test:long' },
    ],
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    expect: { poll: { timeout: POLLS_FOR_MS } },
    projects: [
      ...(['unit', 'infrastructure', 'integration', 'browser'] as const).map((name) => ({
        extends: true as const,
        test: {
          name,
          ...SCHEDULE[name],
          include: [`test/${name}/**/*.test.ts`],
          // IAM callers are in the template of the second door.
          exclude: ['test/integration/proxy/iam-callers.test.ts', ...WITHOUT_FILES],
          // The CDK's own validation of templates takes ten times as long as a synthesis: the test of the rules has it on.
          env: name === 'infrastructure' ? { CDK_VALIDATION: 'false' } : {},
          globalSetup:
            name === 'integration' || name === 'browser'
              ? ['test/support/built.ts', 'test/support/prepared-data.ts']
              : [],
        },
      })),
      {
        extends: true,
        test: {
          name: 'function-url',
          ...(WHOLE === undefined ? FEW_FILES : MANY_FILES),
          include: WHOLE === undefined ? SECOND_DOOR : ['test/integration/proxy/*.test.ts'],
          // These call the function itself, in the test's own process.
          exclude: [
            ...['accounts', 'beside'].map((name) => `test/integration/proxy/${name}.test.ts`),
            ...(WHOLE === 'rest' ? SECOND_DOOR : []),
          ],
          env: { GATEWAY_TEST_DOOR: 'function-url' },
          globalSetup: ['test/support/door.ts', 'test/support/prepared-data.ts'],
        },
      },
    ],
  },
});
