/**
 * `npm run deploy [-- cdk arguments]`: builds the dashboard, deploys the stack and uploads the dashboard to it. Arguments
 * such as `-c gateway:refreshSlices=8` go to the CDK, which bundles the functions by itself.
 */
import { rm } from 'node:fs/promises';
import { cdkJsonContext } from '../../lib/gateway-app.ts';
import { deployDashboard, OUTPUTS_FILE } from './deploy-dashboard.ts';
import { keptMfa } from './deployed-mfa.ts';
import { run } from './run.ts';

const given = process.argv.slice(2);
const profile = given.indexOf('--profile');
if (profile >= 0) process.env.AWS_PROFILE = given[profile + 1];
const kept = await keptMfa(given, cdkJsonContext());
if (kept.note !== undefined) console.log(kept.note);
// Outputs of an earlier deploy must not decide where this one uploads to.
await rm(OUTPUTS_FILE, { force: true });
const steps: readonly (readonly [command: string, args: readonly string[]])[] = [
  ['npm', ['run', 'build', '--workspace', '@integration-gateway/dashboard']],
  ['cdk', ['deploy', '--outputs-file', OUTPUTS_FILE, ...kept.args, ...given]],
];
for (const [command, args] of steps) {
  const code = await run(command, args);
  if (code !== 0) process.exit(code);
}
const url = await deployDashboard();
if (url !== undefined) console.log(`The dashboard is at ${url}`);
