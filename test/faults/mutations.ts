/**
 * `npm run mutations [-- name …]`: takes one safeguard away at a time, in a copy, and shows that a test goes red. Writes
 * what was noticed to contributing/faults.md. Ends with exit code 1 when a removal goes unnoticed.
 */

import { spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithHelp } from '../../dev/tools/help.ts';
import { buildAssembly, editedSources } from './support/assemblies.ts';
import { readSection, writeSection } from './support/page.ts';
import { MUTATIONS, type Mutation } from './support/removals.ts';

exitWithHelp(import.meta.filename);
const PROJECT_ROOT = join(import.meta.dirname, '..', '..');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !MUTATIONS.some((one) => one.name === name));
const chosen = MUTATIONS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no removal called ${unknown.join(', ')}. Known: ${MUTATIONS.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

// Without any removal every one of these tests must pass: else red would prove nothing.
if (await anyRed(chosen)) {
  console.error('A test fails without any removal; mend that first.');
  process.exit(1);
}

const lines: string[] = [];
let unnoticed = 0;
for (const mutation of chosen) {
  const red = await goesRed(mutation);
  if (!red) unnoticed++;
  console.log(`${red ? 'noticed  ' : 'UNNOTICED'} ${mutation.name} (${mutation.row})`);
  lines.push(`| ${mutation.name} | ${mutation.row}, ${placeOf(mutation)} | ${red ? '✅' : '❌'} |`);
}
writeTable(lines);
process.exitCode = unnoticed > 0 ? 1 : 0;

/** Replaces the lines of the removals that were tried; those of others stay. */
function writeTable(tried: readonly string[]): void {
  const nameOf = (line: string) => line.split(' | ')[0] ?? '';
  const table = new Map(MUTATIONS.map(({ name }) => [`| ${name}`, '']));
  for (const line of [...readSection('mutations'), ...tried])
    if (table.has(nameOf(line))) table.set(nameOf(line), line);
  const known = [...table.values()].filter((line) => line !== '');
  const noticed = known.filter((line) => line.endsWith('| ✅ |')).length;
  const head = ['| Safeguard taken away | Shown by | Noticed |', '|---|---|---|'];
  writeSection(
    'mutations',
    [`${noticed} of ${known.length} removals turn a test red.`, '', ...head, ...known].join('\n'),
  );
}

/** True when a row or a unit test fails on sources that nothing was taken from; what they say is shown. */
async function anyRed(mutations: readonly Mutation[]): Promise<boolean> {
  const rows = [...new Set(mutations.filter(({ unitTest }) => unitTest === undefined).map(({ row }) => row))];
  const unitTests = [...new Set(mutations.flatMap(({ unitTest }) => unitTest ?? []))];
  const folder = editedSources([]);
  try {
    if (rows.length > 0 && (await rowsFail(rows, folder, 'inherit'))) return true;
    return unitTests.length > 0 && (await unitTestsFail(unitTests, folder, 'inherit'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function placeOf({ unitTest }: Mutation): string {
  return unitTest === undefined ? 'a row of the matrix' : `\`${unitTest}\``;
}

async function goesRed(mutation: Mutation): Promise<boolean> {
  const folder = editedSources([mutation, ...(mutation.more ?? [])]);
  try {
    return mutation.unitTest === undefined
      ? await rowsFail([mutation.row], folder)
      : await unitTestsFail([mutation.unitTest], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function rowsFail(rows: readonly string[], folder: string, output: Output = 'ignore'): Promise<boolean> {
  const args = ['run', '--config', 'test/faults/vitest.config.ts', 'test/faults', '-t', `(${rows.join('|')}):`];
  return (await vitest(args, PROJECT_ROOT, { GATEWAY_ASSEMBLY: await buildAssembly(folder) }, output)) !== 0;
}

async function unitTestsFail(
  unitTests: readonly string[],
  folder: string,
  output: Output = 'ignore',
): Promise<boolean> {
  for (const one of ['test', 'packages', 'dev', 'tsconfig.json', 'vitest.config.ts']) {
    // A link to the project's own, such as that of the packages, would lead tests back to sources without the removal.
    rmSync(join(folder, one), { recursive: true, force: true });
    cpSync(join(PROJECT_ROOT, one), join(folder, one), { recursive: true });
  }
  return (await vitest(['run', '--project', 'unit', ...unitTests], folder, {}, output)) !== 0;
}

/** Where the output of a test run goes. A removal is expected to fail, so only the run without one shows it. */
type Output = 'ignore' | 'inherit';

function vitest(
  args: readonly string[],
  cwd: string,
  environment: Record<string, string>,
  output: Output,
): Promise<number> {
  const bin = join(PROJECT_ROOT, 'node_modules', '.bin');
  const child = spawn(join(bin, 'vitest'), args, {
    cwd,
    stdio: output,
    env: { ...process.env, ...environment, PATH: `${bin}:${process.env.PATH ?? ''}` },
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}
