import { describe, expect, it } from 'vitest';
import { isInDomain, judgeIdentity, readHostedDomain } from '../../../lambdas/gateway/authorization/callback.rules.ts';
import { EMAIL_MAX_LENGTH } from '../../../lambdas/gateway/core/limits.ts';

const CLAIMS = { subject: '1', email: 'first.user@example.com', nonce: 'n', hostedDomain: undefined };

it.each([
  ['workspace.example', 'workspace.example', true],
  ['Workspace.Example', 'workspace.example', true],
  ['sub.workspace.example', 'workspace.example', false],
  ['workspace.example.evil.example', 'workspace.example', false],
  [undefined, 'workspace.example', false],
  ['', 'workspace.example', false],
  ['any.example', '*', true],
  [undefined, '*', false],
  ['', '*', false],
])('an account of %s where %s is asked for: %s', (claimed, wanted, expected) => {
  expect(isInDomain(claimed, wanted)).toBe(expected);
});

it.each([
  ['workspace.example', 'workspace.example'],
  [undefined, null],
  [null, null],
  ['', undefined],
  [['workspace.example'], undefined],
  ['work space', undefined],
  ['a'.repeat(254), undefined],
])('a Workspace domain of %j is read as %j', (claimed, domain) => {
  expect(readHostedDomain(claimed)).toBe(domain);
});

describe('judgeIdentity (OA-18)', () => {
  it('identifies by subject; an e-mail is only shown', () => {
    expect(judgeIdentity(CLAIMS, 'n')).toEqual({ kind: 'identified', subject: '1', email: 'first.user@example.com' });
    const longest = 'a'.repeat(EMAIL_MAX_LENGTH);
    expect(judgeIdentity({ ...CLAIMS, email: longest }, 'n')).toMatchObject({ email: longest });
  });

  it.each([undefined, 7, ['a@example.com'], `${'a'.repeat(320)}@`])(
    'CR-10: leaves out the e-mail %j, which cannot be one',
    (email) => {
      expect(judgeIdentity({ ...CLAIMS, email }, 'n')).toEqual({ kind: 'identified', subject: '1', email: null });
    },
  );

  it.each([
    [{ nonce: undefined }, 'nonce'],
    [{ nonce: '' }, 'nonce'],
    [{ nonce: 'N' }, 'nonce'],
    [{ subject: '' }, 'sub'],
    [{ subject: '1'.repeat(256) }, 'sub'],
    [{ subject: 42 }, 'sub'],
    [{ subject: { $ne: 1 } }, 'sub'],
    [{ subject: undefined }, 'sub'],
    [{ nonce: ['n'] }, 'nonce'],
  ])('OA-18, CR-10: refuses %j for its %s', (change, reason) => {
    expect(judgeIdentity({ ...CLAIMS, ...change }, 'n')).toEqual({ kind: 'refused', reason });
  });
});
