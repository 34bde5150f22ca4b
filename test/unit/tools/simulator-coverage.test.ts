import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SIMULATOR_COVERAGE, simulatorCoverage } from '../../../dev/tools/simulator-coverage.ts';

test('docs/simulator.md tells what the simulator has; `node dev/tools/simulator-coverage.ts` writes it anew', () => {
  expect(readFileSync(SIMULATOR_COVERAGE, 'utf8')).toBe(simulatorCoverage());
});
