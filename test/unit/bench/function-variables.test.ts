import { expect, test } from 'vitest';
import { functionVariables } from '../../../bench/function-variables.ts';
import { readConfig } from '../../../lambdas/gateway/config.ts';

test('the variables of the benchmark are all that a function asks for', () => {
  expect(readConfig(functionVariables('http://127.0.0.1:1'))).toMatchObject({ tableName: 'bench' });
});
