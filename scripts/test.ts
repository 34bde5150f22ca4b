/**
 * `npm test [-- vitest arguments]`: makes the assembly that the suites share, once, then runs every suite. Leaves a JSON
 * report in `dist/test-report.json`.
 */
import { ensureAssembly } from '../local/assembly.ts';
import { run } from './run.ts';

await ensureAssembly({
  mode: 'auto',
  step: (name, work) => {
    console.log(`${name} …`);
    return work();
  },
});
process.exitCode = await run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  '--outputFile.json=dist/test-report.json',
  ...process.argv.slice(2),
]);
