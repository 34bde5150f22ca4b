/**
 * `node test/faults/mutations.ts [name]`: takes one safeguard away at a time, in a copy, and shows that a test goes red.
 * Ends with exit code 1 when a removal goes unnoticed.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGatewayApp } from '../../lib/gateway-app.ts';
import { buildFunctions } from '../../scripts/build.ts';
import { MUTATIONS, type Mutation } from './support/removals.ts';

const PROJECT_ROOT = join(import.meta.dirname, '..', '..');
const wanted = process.argv[2];
const chosen = MUTATIONS.filter(({ name }) => wanted === undefined || name === wanted);
if (chosen.length === 0) {
  console.error(`There is no removal called ${wanted}. Known: ${MUTATIONS.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

// A copy that nothing was taken from must pass: else red would prove nothing.
if (await goesRed({ name: 'nothing', row: 'F09', edits: [] })) {
  console.error('The row F09 fails without any removal; mend that first.');
  process.exit(1);
}

let unnoticed = 0;
for (const mutation of chosen) {
  const red = await goesRed(mutation);
  if (!red) unnoticed++;
  console.log(`${red ? 'noticed  ' : 'UNNOTICED'} ${mutation.name} (${mutation.row})`);
}
process.exitCode = unnoticed > 0 ? 1 : 0;

async function goesRed(mutation: Mutation): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  try {
    cpSync(join(PROJECT_ROOT, 'lambdas'), join(folder, 'lambdas'), { recursive: true });
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const { file, find, replace } of mutation.edits) {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(find)) throw new Error(`${mutation.name}: ${file} no longer has ${JSON.stringify(find)}`);
      writeFileSync(path, text.replace(find, replace));
    }
    return mutation.unitTest === undefined
      ? await rowFails(mutation, folder)
      : await unitTestFails(mutation.unitTest, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rowFails(mutation: Mutation, folder: string): Promise<boolean> {
  await buildFunctions({ sourceRoot: join(folder, 'lambdas'), outputRoot: join(folder, 'dist') });
  const assembly = join(folder, 'cdk');
  const bundlesPath = join(folder, 'dist', 'lambdas');
  (await createGatewayApp({ environment: {}, checkRules: false, outdir: assembly, bundlesPath })).synth();
  const args = ['run', '--config', 'test/faults/vitest.config.ts', 'test/faults', '-t', `${mutation.row}:`];
  return (await vitest(args, PROJECT_ROOT, { GATEWAY_ASSEMBLY: assembly })) !== 0;
}

async function unitTestFails(unitTest: string, folder: string): Promise<boolean> {
  for (const one of ['test', 'simulator', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
    cpSync(join(PROJECT_ROOT, one), join(folder, one), { recursive: true });
  }
  return (await vitest(['run', '--project', 'unit', unitTest], folder, {})) !== 0;
}

function vitest(args: readonly string[], cwd: string, environment: Record<string, string>): Promise<number> {
  const bin = join(PROJECT_ROOT, 'node_modules', '.bin');
  const child = spawn(join(bin, 'vitest'), args, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, ...environment, PATH: `${bin}:${process.env.PATH ?? ''}` },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
