import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { LATER_BUILD, versionRows } from './rows/versions.ts';
import { buildAssembly, editedSources, swapBundles } from './support/assemblies.ts';
import { describeRows } from './support/describe-rows.ts';

const builds = { first: editedSources([]), later: editedSources(LATER_BUILD), running: editedSources([]) };
const assemblies = {
  first: await buildAssembly(builds.first),
  later: await buildAssembly(builds.later),
  running: await buildAssembly(builds.running),
};
afterAll(() => {
  for (const folder of Object.values(builds)) rmSync(folder, { recursive: true });
});
const rows = versionRows((build) => swapBundles(assemblies[build], assemblies.running));
describeRows('two builds', rows, { assemblyFolder: assemblies.running });
