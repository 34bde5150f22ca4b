import { ensureAssembly } from '../../dev/tools/assembly.ts';
import { isStale } from '../../dev/tools/dashboard-build.ts';
import { run } from '../../dev/tools/run.ts';

const DASHBOARD = [
  'run',
  'build',
  '--silent',
  '--workspace',
  '@integration-gateway/dashboard',
  '--',
  '--logLevel',
  'warn',
];

/** Runs once before the suites that start gateways: makes the template, the bundles and the dashboard where a source has changed. */
export default async function build(): Promise<void> {
  await ensureAssembly({
    mode: 'auto',
    step: (name, work) => {
      console.log(`${name} …`);
      return work();
    },
  });
  if (!isStale()) return;
  console.log('build the dashboard …');
  if ((await run('npm', DASHBOARD)) !== 0) throw new Error('The dashboard was not built: what it said is above.');
}
