import { describe, expect, it } from 'vitest';
import type { CipherContext } from '../../../lambdas/gateway/core/ports.ts';
import { Resealer } from '../../../packages/cli/restore/reseal.ts';

const CONTEXT: CipherContext = {
  accountId: 'default',
  integrationId: 'drive',
  recordId: 'c',
  field: 'refreshToken',
  purpose: 'tokens',
};
const VALUE = 'v1.2955.sealed';
const ciphers = {
  from: { decrypt: async (_: unknown, sealed: string) => `plain of ${sealed}` },
  into: { encrypt: async (_: unknown, plain: string) => `v1.3000.${plain}` },
};
const DIFFERING = { pk: 'ACCOUNT#default', sk: 'DATAKEY#2955' };

describe('encrypted values of a backup', () => {
  it('encrypted values of a backup stay as they are while their data key comes along', async () => {
    const resealer = new Resealer({ ciphers, otherKmsKey: false });
    expect(await resealer.sealed(CONTEXT, VALUE)).toBe(VALUE);
    expect(resealer.keysComeAlong).toBe(true);
  });

  it('encrypted values of a backup are encrypted again where the table has another key under the number, and only those', async () => {
    const resealer = new Resealer({ ciphers, otherKmsKey: false });
    resealer.noteDiffering(DIFFERING);
    expect(await resealer.sealed(CONTEXT, VALUE)).toBe(`v1.3000.plain of ${VALUE}`);
    expect(await resealer.sealed(CONTEXT, 'v1.2954.sealed')).toBe('v1.2954.sealed');
    expect(await resealer.sealed({ ...CONTEXT, accountId: 'other' }, VALUE)).toBe(VALUE);
  });

  it('encrypted values of a backup are all encrypted again under another KMS key', async () => {
    const resealer = new Resealer({ ciphers, otherKmsKey: true });
    expect(resealer.keysComeAlong).toBe(false);
    expect(await resealer.sealed(CONTEXT, 'v1.2954.sealed')).toMatch(/^v1\.3000\./);
  });

  it('encrypted values of a backup are given up where nobody named the KMS key', async () => {
    const resealer = new Resealer({ ciphers: undefined, otherKmsKey: false });
    resealer.noteDiffering(DIFFERING);
    expect([resealer.isLost('default', VALUE), resealer.isLost('default', undefined)]).toEqual([true, false]);
    expect(resealer.isLost('default', 'v1.2954.sealed')).toBe(false);
    await expect(resealer.sealed(CONTEXT, VALUE)).rejects.toThrow(/data key/);
  });
});
