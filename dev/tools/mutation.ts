/**
 * `npm run test:mutation [-- area ...]`: changes the code of each area in every way Stryker knows, one at a time, and counts
 * which changes no unit test notices. Leaves a report of each area in `dist/mutation`, prints the scores and ends with exit
 * code 1 when one is below what was reached before (contributing/mutation.md).
 */

import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { MUTATION_AREA, MUTATION_AREAS, type MutationArea } from '../../test/mutation/areas.ts';
import { type MutationScore, mutationScore, readMutationReport } from '../../test/mutation/score.ts';
import { exitWithHelp } from './help.ts';
import { PROJECT_ROOT, run } from './run.ts';

exitWithHelp(import.meta.filename);
const FOLDER = join(PROJECT_ROOT, 'dist', 'mutation');
const STRYKER = join(PROJECT_ROOT, 'test', 'mutation', 'node_modules', '.bin', 'stryker');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !MUTATION_AREAS.some((area) => area.name === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Areas: ${MUTATION_AREAS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
if (!existsSync(STRYKER)) {
  console.error('Stryker is not installed with the project. Once: npm ci --prefix test/mutation');
  process.exit(2);
}

mkdirSync(FOLDER, { recursive: true });
const below: string[] = [];
for (const area of MUTATION_AREAS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const score = await mutate(area);
  console.log(describe(area, score));
  if (score.percent < area.break) below.push(area.name);
}
if (below.length > 0) {
  console.error(`Below what was reached before: ${below.join(', ')}.`);
  process.exitCode = 1;
}

async function mutate(area: MutationArea): Promise<MutationScore> {
  // What was found before holds while neither the code nor a test that noticed has changed: only the rest is played again.
  const known = join(FOLDER, `${area.name}.known.json`);
  const args = ['run', '--mutate', area.mutate.join(','), '--incremental', '--incrementalFile', known];
  const code = await run(STRYKER, args, { [MUTATION_AREA]: area.name });
  if (code !== 0) throw new Error(`Stryker ended with exit code ${code} in ${area.name}.`);
  const report = join(FOLDER, `${area.name}.json`);
  // Stryker writes every report to one place.
  renameSync(join(FOLDER, 'report.json'), report);
  return mutationScore(readMutationReport(report));
}

function describe({ name }: MutationArea, { percent, noticed, survived, uncovered }: MutationScore): string {
  return `${name}: ${percent.toFixed(1)} % (${noticed} noticed, ${survived} survived, ${uncovered} met by no test)`;
}
