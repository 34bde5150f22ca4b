/** The command line's package: one program without dependencies, in parts that are loaded by the command that needs them. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { DASHBOARD_FOLDER } from '../deploy-dashboard.ts';
import { PROJECT_ROOT } from '../run.ts';
import { writeLauncher } from './launcher.ts';
import { licenceTexts, type PackageSource } from './pack.ts';

/** Oldest Node that the package is for. */
const TARGET = 'node20.19';

/** Some libraries of the AWS SDK call `require`, which an ES module does not have. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Parts of `verify` that start a gateway or deploy one, for which the project has to be there. */
const PROJECT_ONLY = /^\.\.?\/(?:verify\/)?(?:local-trial|trial)\.ts$/;

const withoutProject: Plugin = {
  name: 'without-project',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: PROJECT_ONLY }, ({ path }) => ({ path, namespace: 'project-only' }));
    onLoad({ filter: /.*/, namespace: 'project-only' }, () => ({
      contents: `const refuse = () => { throw new Error('verify --local and --trial need the whole project: npm run verify there.'); };
export const withLocalTrial = async () => refuse();
export const withTrial = async () => refuse();`,
    }));
  },
};

/** The program `gateway`. */
export const cliPackage: PackageSource = {
  folder: 'packages/cli',
  async build(dist) {
    const { metafile } = await build({
      entryPoints: { gateway: join(PROJECT_ROOT, 'packages', 'cli', 'cli.ts') },
      outdir: dist,
      ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: TARGET, metafile: true },
      ...{ legalComments: 'none', minifySyntax: true, minifyWhitespace: true, logLevel: 'silent' },
      absWorkingDir: PROJECT_ROOT,
      chunkNames: 'parts/[name]-[hash]',
      mainFields: ['module', 'main'],
      banner: { js: REQUIRE },
      plugins: [withoutProject],
    });
    writeLauncher(dist, 'packages/cli', 'gateway', 'gateway.js');
    writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licenceTexts([metafile]));
    cpSync(DASHBOARD_FOLDER, join(dist, 'dashboard'), { recursive: true });
  },
};
