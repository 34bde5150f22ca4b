import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newConnectionId } from '../../../lambdas/gateway/connections/new-ids.ts';

const idOf = (bytes: Uint8Array) => newConnectionId({ bytes: () => bytes, number: () => 0 });

test('CS-7: an id holds all random bits but those that would make it look like an option', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 18, maxLength: 18 }), (bytes) => {
      const id = idOf(bytes);
      expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{23}$/);
      expect(id.slice(1)).toBe(Buffer.from(bytes).toString('base64url').slice(1));
    }),
  );
  expect(idOf(new Uint8Array(18).fill(0xfb))).toMatch(/^x/);
});
