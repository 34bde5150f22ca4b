import { expect, test } from 'vitest';
import { isOutage } from '../../../lambdas/gateway/platform/aws-client.ts';

const named = (name: string, more: object = {}) => Object.assign(new Error(name), { name }, more);

test.each([
  ['a refused connection', named('Error', { code: 'ECONNREFUSED' })],
  ['a hung call', named('TimeoutError')],
  ['a server fault', named('InternalServerError', { $fault: 'server' })],
  ['throttling', named('ProvisionedThroughputExceededException', { $fault: 'client' })],
])('F45: %s is an outage', (_, error) => {
  expect(isOutage(error)).toBe(true);
});

test.each([
  ['a condition that did not hold', named('ConditionalCheckFailedException', { $fault: 'client' })],
  ['a cancelled transaction', named('TransactionCanceledException', { $fault: 'client' })],
  ['a right that is missing', named('AccessDeniedException', { $fault: 'client' })],
  ['a fault of our own', new TypeError('x is undefined')],
  ['something else that was thrown', 'text'],
])('%s is none', (_, error) => {
  expect(isOutage(error)).toBe(false);
});
