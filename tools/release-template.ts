/** `npm run release:template`: keeps today's resources as the release's; part of every release, right before its tag. */
import { buildFunctions } from './build.ts';
import { RELEASED_TEMPLATE, renewReleasedTemplate } from './released-template.ts';
import { run } from './run.ts';

await buildFunctions();
await renewReleasedTemplate();
process.exitCode = await run('biome', ['format', '--write', RELEASED_TEMPLATE]);
