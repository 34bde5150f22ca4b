/**
 * `npm test [-- vitest arguments]`: bundles and synthesizes once, then runs every suite against the result. Leaves a JSON
 * report in `dist/test-report.json`.
 */
import { rm } from 'node:fs/promises';
import { buildFunctions } from './build.ts';
import { run } from './run.ts';

await buildFunctions();
await rm('cdk.out', { recursive: true, force: true });
const synthesized = await run('node', ['bin/gateway.ts'], { CDK_OUTDIR: 'cdk.out', CDK_VALIDATION: 'false' });
process.exitCode =
  synthesized === 0
    ? await run('vitest', [
        'run',
        '--reporter=default',
        '--reporter=json',
        '--outputFile.json=dist/test-report.json',
        ...process.argv.slice(2),
      ])
    : synthesized;
