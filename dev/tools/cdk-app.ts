/**
 * The `app` of cdk.json: bundles the functions, which are part of what every command of the CDK works on, then composes the
 * stack. So `npx cdk …` works right after `npm ci` and never deploys bundles of an earlier source.
 */
import { buildFunctions } from './build.ts';

const startedMs = performance.now();
const built = await buildFunctions();
// To standard error: `cdk synth` prints the template.
console.error(`${built.length} functions bundled in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
await import('../../bin/gateway.ts');
