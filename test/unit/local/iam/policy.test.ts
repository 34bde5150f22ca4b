import { describe, expect, test } from 'vitest';
import { type PolicyKind, readPolicy } from '../../../../dev/local/iam/policy.ts';
import type { JsonObject } from '../../../../dev/tools/json.ts';

const GOOD: JsonObject = { Effect: 'Allow', Action: 'kms:Decrypt', Resource: '*' };
// Put together, so that it is not taken for a template of this file's own.
const VARIABLE = `arn:aws:s3:::$${'{'}aws:username}`;
const withPrincipal = (Principal: JsonObject): JsonObject => ({ ...GOOD, Principal });
const read = (statement: JsonObject, kind: PolicyKind = 'identity', more: JsonObject = {}) =>
  readPolicy({ Version: '2012-10-17', Statement: [statement], ...more }, kind, 'Role');

describe('a policy that cannot be judged whole is refused whole', () => {
  test.each<[what: string, statement: JsonObject, kind: PolicyKind, message: string]>([
    ['an unknown element', { ...GOOD, Priority: 1 }, 'identity', 'has Priority'],
    ['NotPrincipal', { ...GOOD, NotPrincipal: { AWS: '*' } }, 'resource', 'has NotPrincipal'],
    ['a principal of an identity policy', { ...GOOD, Principal: '*' }, 'identity', 'must not name a Principal'],
    ['a resource policy for nobody', GOOD, 'resource', 'must name a Principal'],
    ['a principal of another kind', withPrincipal({ Federated: 'x' }), 'resource', 'Federated cannot be judged'],
    ['a wildcard principal', withPrincipal({ AWS: 'arn:aws:iam::000000000000:role/*' }), 'resource', 'neither'],
    ['another effect', { ...GOOD, Effect: 'Maybe' }, 'identity', 'not Allow or Deny'],
    ['both Action and NotAction', { ...GOOD, NotAction: 'kms:*' }, 'identity', 'either Action or NotAction'],
    ['no resource', { Effect: 'Allow', Action: 'kms:*' }, 'identity', 'either Resource or NotResource'],
    ['no action', { ...GOOD, Action: [] }, 'identity', 'is empty'],
    ['a word for an action', { ...GOOD, Action: 'decrypt' }, 'identity', 'is not an action'],
    ['a variable in a resource', { ...GOOD, Resource: VARIABLE }, 'identity', 'has a variable'],
    ['part of an ARN', { ...GOOD, Resource: 'arn:aws:kms:*' }, 'identity', 'neither "*" nor a whole ARN'],
    ['a trust policy with a resource', { ...GOOD, Principal: '*' }, 'trust', 'names no Resource'],
  ])('%s', (_what, statement, kind, message) => {
    expect(() => read(statement, kind)).toThrow(message);
    expect(() => read(statement, kind)).toThrow(/^Role/);
  });

  test('a document of another version or with unknown members', () => {
    expect(() => read(GOOD, 'identity', { Version: '2008-10-17' })).toThrow('must be 2012-10-17');
    expect(() => read(GOOD, 'identity', { Statements: [] })).toThrow('has Statements');
    expect(() => readPolicy({ Version: '2012-10-17' }, 'identity', 'Role')).toThrow('Role.Statement');
  });
});

describe('a policy is read', () => {
  test('a policy is read with one statement that stands alone, as the CDK writes it', () => {
    expect(readPolicy({ Version: '2012-10-17', Statement: GOOD }, 'identity', 'Role')).toHaveLength(1);
  });

  test('a policy is read with its principals', () => {
    const AWS = ['*', '000000000000', 'arn:aws:iam::000000000000:root', 'arn:aws:iam::000000000000:role/r'];
    expect(read(withPrincipal({ AWS, Service: 's' }), 'resource')[0]?.principals).toEqual([
      { kind: 'everyone' },
      { kind: 'account', account: '000000000000' },
      { kind: 'account', account: '000000000000' },
      { kind: 'arn', arn: 'arn:aws:iam::000000000000:role/r' },
      { kind: 'service', name: 's' },
    ]);
  });
});
