import { expect, test } from 'vitest';
import { functionVariables } from '../../../dev/bench/function-variables.ts';
import { readConfig } from '../../../lambdas/gateway/config.ts';
import { allProviders } from '../../../lambdas/gateway/providers/index.ts';

test('the variables of the benchmark are all that a function asks for', () => {
  expect(readConfig(allProviders(), functionVariables('http://127.0.0.1:1'))).toMatchObject({ tableName: 'bench' });
});
