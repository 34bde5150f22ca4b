/**
 * `npm run check`: types, lint with the import directions, the words of texts, a synthesis with cdk-nag and template validation as errors, and
 * a comparison with the last release's template.
 * Every check runs, so that one run shows every problem: two at a time, those of one list one after the other.
 */
import { exitWithHelp } from './help.ts';
import { run } from './run.ts';

exitWithHelp(import.meta.filename);
type Check = readonly [name: string, command: string, args: readonly string[]];

/** Each list keeps about one processor busy. */
const CHECKS: readonly (readonly Check[])[] = [
  [
    ['types', 'tsc', ['--noEmit']],
    ['types of the dashboard', 'tsc', ['--noEmit', '-p', 'packages/dashboard']],
    ['lint and import directions', 'biome', ['check', '--error-on-warnings', '.']],
    ['generated files', 'node', ['dev/tools/generate.ts', '--check']],
    ['words', 'node', ['dev/tools/check-words.ts']],
  ],
  [
    ['bundles', 'node', ['dev/tools/build.ts']],
    ['OpenAPI document', 'node', ['dev/tools/openapi.ts']],
    ['synthesis', 'cdk', ['synth', '--quiet']],
    ['nothing kept is lost since the last release', 'node', ['dev/tools/check-released.ts']],
  ],
];

const failed: string[] = [];
await Promise.all(
  CHECKS.map(async (list) => {
    for (const [name, command, args] of list) {
      const startedMs = performance.now();
      const code = await run(command, args);
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
      if (code !== 0) failed.push(name);
    }
  }),
);
if (failed.length > 0) {
  console.error(`Checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
