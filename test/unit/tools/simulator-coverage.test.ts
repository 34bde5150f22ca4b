import { test } from 'vitest';
import { SIMULATOR_COVERAGE, simulatorCoverage } from '../../../dev/tools/simulator-coverage.ts';
import { expectWritten } from '../../support/written.ts';

test('docs/simulator.md tells what the simulator has; `node dev/tools/simulator-coverage.ts` writes it again', () => {
  expectWritten(SIMULATOR_COVERAGE, simulatorCoverage(), 'node dev/tools/simulator-coverage.ts');
});
