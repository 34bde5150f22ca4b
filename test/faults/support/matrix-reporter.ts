import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { describeElsewhere } from './elsewhere.ts';
import { writeSection } from './page.ts';

/** Files of the matrix; fewer in a run mean that it was filtered. */
const MATRIX_FILES = readdirSync(join(import.meta.dirname, '..')).filter((name) => name.endsWith('.test.ts')).length;

/** Writes the result of a whole run of the matrix into docs/faults.md; a filtered run leaves the page alone. */
export default class MatrixReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const complete =
      modules.length === MATRIX_FILES && tests.length > 0 && tests.every((one) => one.result().state !== 'skipped');
    if (!complete) return;
    const rows = tests.map((one) => {
      const [id = '', ...claim] = one.name.split(': ');
      const where = one.parent.type === 'suite' && id === 'F27' ? ` (${one.parent.name})` : '';
      const seconds = ((one.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
      const { recoveredMs } = one.meta();
      const recovered = recoveredMs === undefined ? '' : `${(recoveredMs / 1000).toFixed(1)} s`;
      return {
        id,
        text: `| ${id} | ${claim.join(': ')}${where} | ${one.result().state === 'passed' ? '✅' : '❌'} | ${seconds} s | ${recovered} |`,
      };
    });
    rows.sort((a, b) => a.id.localeCompare(b.id));
    const passed = tests.filter((one) => one.result().state === 'passed').length;
    const table = [
      '| Row | Claim | Holds | Took | Recovered |',
      '|---|---|---|---|---|',
      ...rows.map(({ text }) => text),
    ].join('\n');
    writeSection('elsewhere', describeElsewhere(new Set(rows.map(({ id }) => id.slice(0, 3)))));
    writeSection('result', `${passed} of ${tests.length} hold.\n\n${table}`);
  }
}
