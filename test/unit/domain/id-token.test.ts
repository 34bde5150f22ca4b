import { describe, expect, it } from 'vitest';
import { judgeIdentity } from '../../../lambdas/shared/domain/id-token.ts';

const CLAIMS = { subject: '1', email: 'first.user@example.com', nonce: 'n' };

describe('judgeIdentity (OA-18)', () => {
  it('identifies by subject; an e-mail is only told', () => {
    expect(judgeIdentity(CLAIMS, 'n')).toEqual({ kind: 'identified', subject: '1', email: 'first.user@example.com' });
    expect(judgeIdentity({ ...CLAIMS, email: undefined }, 'n')).toEqual({
      kind: 'identified',
      subject: '1',
      email: null,
    });
  });

  it.each([
    [{ nonce: undefined }, 'nonce'],
    [{ nonce: '' }, 'nonce'],
    [{ nonce: 'N' }, 'nonce'],
    [{ subject: '' }, 'sub'],
    [{ subject: '1'.repeat(256) }, 'sub'],
  ])('refuses %j for its %s', (change, reason) => {
    expect(judgeIdentity({ ...CLAIMS, ...change }, 'n')).toEqual({ kind: 'refused', reason });
  });
});
