import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { describeElsewhere, faultOf } from './elsewhere.ts';
import { readSection, writeSection } from './page.ts';

const HEAD = ['| Row | Claim | Holds | Took | Recovered |', '|---|---|---|---|---|'];
/** Rows that run in more than one world, whose name distinguishes them. */
const IN_MANY_WORLDS = new Set(['F27', 'F72', 'F108']);

/** Writes the rows that ran into contributing/faults.md; those of files that did not run stay as they are. */
export default class MatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    // A removed safeguard, or a row picked out by hand, says nothing of the project as it is.
    if (process.env.GATEWAY_ASSEMBLY !== undefined) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    if (tests.length === 0 || tests.some((one) => one.result().state === 'skipped')) return;
    const rows = new Map(readSection('result').flatMap(readRow));
    for (const one of tests) for (const [key, line] of readRow(lineOf(one))) rows.set(key, line);
    const lines = [...rows].toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([, line]) => line);
    const holding = lines.filter((line) => line.includes('| ✅ |')).length;
    writeSection('result', [`${holding} of ${lines.length} hold.`, '', ...HEAD, ...lines].join('\n'));
    writeSection('elsewhere', describeElsewhere(new Set(lines.flatMap((line) => faultOf(line) ?? []))));
  }
}

function lineOf(one: TestCase): string {
  const [id = '', ...claim] = one.name.split(': ');
  const where = one.parent.type === 'suite' && IN_MANY_WORLDS.has(id) ? ` (${one.parent.name})` : '';
  const seconds = ((one.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
  const { recoveredMs } = one.meta();
  const recovered = recoveredMs === undefined ? '' : `${(recoveredMs / 1000).toFixed(1)} s`;
  const holds = one.result().state === 'passed' ? '✅' : '❌';
  return `| ${id} | ${claim.join(': ')}${where} | ${holds} | ${seconds} s | ${recovered} |`;
}

/** A line of the table with what it is known by: its id, and its world where it has several. */
function readRow(line: string): [key: string, line: string][] {
  const id = /^\| (F\d{2,3}[\w-]*) \|/.exec(line)?.[1];
  if (id === undefined) return [];
  const world = IN_MANY_WORLDS.has(id) ? (/\(([^()]*)\) \|/.exec(line)?.[1] ?? '') : '';
  return [[`${id} ${world}`, line]];
}
