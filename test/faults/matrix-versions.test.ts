import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { LATER_BUILD, versionRows } from './rows/versions.ts';
import { buildAssembly, editedSources, swapBundles } from './support/assemblies.ts';
import { describeRows } from './support/describe-rows.ts';

const sources = { first: '', later: '', running: '' };
const assemblies = { first: '', later: '', running: '' };
afterAll(() => {
  for (const folder of Object.values(sources)) rmSync(folder, { recursive: true, force: true });
});
const rows = versionRows((build) => swapBundles(assemblies[build], assemblies.running));
describeRows('two builds', rows, {
  async assembly() {
    for (const build of ['first', 'later', 'running'] as const) {
      sources[build] = editedSources(build === 'later' ? LATER_BUILD : []);
      assemblies[build] = await buildAssembly(sources[build]);
    }
    return assemblies.running;
  },
});
