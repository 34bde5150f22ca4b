import { expect, it } from 'vitest';
import { callHooks } from '../../../../lambdas/features/undo/call-hooks.ts';
import { managementGateway } from '../../management/support/gateway.ts';

const { leftOut } = callHooks(managementGateway().services.forFeatures);

it.each([
  ['required', 'PATCH', 'not_undoable'],
  ['required', 'GET', undefined],
  [true, 'DELETE', undefined],
])('without undo, a key with the journal %s that sends %s gets %s', (journal, method, code) => {
  const requests = [{ method, target: '/drive/v3/files/a', headers: [], body: undefined }];
  const call = JSON.parse(JSON.stringify({ caller: { key: { limits: { journal } } }, requests }));
  expect(leftOut(call)?.code).toBe(code);
});
