import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RequestContext, readConditions } from '../../../../dev/local/iam/conditions.ts';
import { arnMatcher, globMatcher } from '../../../../dev/local/iam/patterns.ts';
import type { Json, JsonObject } from '../../../../dev/tools/json.ts';

const CONTEXT: RequestContext = {
  'aws:sourceaccount': '111122223333',
  'aws:sourcearn': 'arn:aws:execute-api:us-east-1:111122223333:abc/v1/GET/connect',
  'aws:securetransport': 'true',
  'kms:viaservice': 'dynamodb.us-east-1.amazonaws.com',
  'kms:encryptioncontextkeys': ['account', 'purpose'],
};
// Put together, so that it is not taken for a template of this file's own.
const VARIABLE = `$${'{'}aws:PrincipalArn}`;
const KEYS = 'kms:EncryptionContextKeys';

const holds = (operator: string, key: string, value: Json, context: RequestContext = CONTEXT): boolean =>
  readConditions({ [operator]: { [key]: value } }, 'Condition')(context);

describe('operators', () => {
  test.each<[operator: string, key: string, value: Json, expected: boolean]>([
    ['StringEquals', 'aws:SourceAccount', '111122223333', true],
    ['StringEquals', 'AWS:sourceaccount', ['1', '111122223333'], true],
    ['StringEquals', 'kms:ViaService', 'DynamoDB.us-east-1.amazonaws.com', false],
    ['StringEqualsIgnoreCase', 'kms:ViaService', 'DynamoDB.us-east-1.amazonaws.com', true],
    ['StringLike', 'kms:ViaService', 'dynamodb.*.amazonaws.com', true],
    ['StringLike', 'kms:ViaService', 'dynamodb.?.amazonaws.com', false],
    ['StringEquals', 'kms:ViaService', 'dynamodb.*.amazonaws.com', false],
    ['StringNotEquals', 'aws:SourceAccount', ['1', '2'], true],
    ['StringNotEquals', 'aws:SourceAccount', ['1', '111122223333'], false],
    ['StringNotLike', 'kms:ViaService', 's3.*', true],
    ['ArnLike', 'aws:SourceArn', 'arn:aws:execute-api:us-east-1:111122223333:abc/*/*/*', true],
    ['ArnEquals', 'aws:SourceArn', 'arn:aws:execute-api:*:111122223333:abc/v1/GET/connect', true],
    ['ArnLike', 'aws:SourceArn', 'arn:aws:execute-api:*:abc/v1/GET/connect:x', false],
    ['ArnNotLike', 'aws:SourceArn', 'arn:aws:sns:*:*:*', true],
    ['Bool', 'aws:SecureTransport', true, true],
    ['Bool', 'aws:SecureTransport', 'false', false],
    ['NumericGreaterThan', 'aws:SourceAccount', 111122223332, true],
    ['NumericLessThanEquals', 'aws:SourceAccount', '111122223332', false],
    ['NumericNotEquals', 'aws:SourceAccount', 5, true],
    ['Null', 'aws:SourceArn', 'false', true],
    ['Null', 'aws:SourceArn', true, false],
    ['ForAnyValue:StringEquals', KEYS, 'purpose', true],
    ['ForAllValues:StringEquals', KEYS, 'purpose', false],
    ['ForAllValues:StringEquals', KEYS, ['account', 'purpose', 'more'], true],
    ['ForAnyValue:StringNotEquals', KEYS, 'purpose', true],
    ['ForAllValues:StringNotEquals', KEYS, 'purpose', false],
  ])('%s of %s against %j is %s', (operator, key, value, expected) => {
    expect(holds(operator, key, value)).toBe(expected);
  });

  test.each<[operator: string, key: string, expected: boolean]>([
    ['StringEquals', 'kms:ViaService', false],
    ['StringEqualsIfExists', 'kms:ViaService', true],
    ['StringNotEquals', 'kms:ViaService', true],
    ['StringNotLikeIfExists', 'kms:ViaService', true],
    ['Bool', 'aws:SecureTransport', false],
    ['ForAnyValue:StringEquals', KEYS, false],
    ['ForAnyValue:StringNotEquals', KEYS, false],
    ['ForAllValues:StringEquals', KEYS, true],
    ['ForAnyValue:StringEqualsIfExists', KEYS, true],
  ])('%s of a %s that the request does not have is %s', (operator, key, expected) => {
    expect(holds(operator, key, 'x', {})).toBe(expected);
  });

  test('all operators and all keys of a block must hold', () => {
    const block = (account: string, via: string): JsonObject => ({
      StringEquals: { 'aws:SourceAccount': account, 'kms:ViaService': via },
      Bool: { 'aws:SecureTransport': 'true' },
    });
    const test = (account: string, via: string) => readConditions(block(account, via), 'Condition')(CONTEXT);
    expect(test('111122223333', 'dynamodb.us-east-1.amazonaws.com')).toBe(true);
    expect(test('111122223333', 's3.us-east-1.amazonaws.com')).toBe(false);
    expect(test('1', 'dynamodb.us-east-1.amazonaws.com')).toBe(false);
  });

  test('a negated operator holds exactly where the plain one does not, as long as the key is there', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', 'A'), maxLength: 4 });
    const pairs = fc.constantFrom(
      ['StringEquals', 'StringNotEquals'],
      ['StringLike', 'StringNotLike'],
      ['StringEqualsIgnoreCase', 'StringNotEqualsIgnoreCase'],
    );
    const wantedValues = fc.array(text, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(pairs, wantedValues, text, ([plain = '', negated = ''], wanted, value) => {
        const judged = (operator: string) => holds(operator, 'kms:ViaService', wanted, { 'kms:viaservice': value });
        expect(judged(negated)).toBe(!judged(plain));
        expect(judged(`${plain}IfExists`)).toBe(judged(plain));
      }),
    );
  });
});

describe('what cannot be judged is refused when it is read', () => {
  test.each<[what: string, block: Json, message: string]>([
    ['an unknown key', { StringEquals: { 'dynamodb:Attributes': 'a' } }, 'the condition key dynamodb:Attributes'],
    ['a bare prefix', { StringEquals: { 'kms:EncryptionContext:': 'a' } }, 'cannot judge the condition key'],
    ['an unknown operator', { IpAddress: { 'aws:SourceArn': '10.0.0.0/8' } }, 'cannot judge the operator IpAddress'],
    ['a variable', { StringEquals: { 'aws:SourceArn': VARIABLE } }, 'has a policy variable'],
    ['a set operator on one value', { 'ForAnyValue:StringEquals': { 'aws:SourceArn': 'a' } }, 'takes no set operator'],
    ['several values without one', { StringEquals: { [KEYS]: 'a' } }, 'needs ForAllValues or ForAnyValue'],
    ['a short ARN', { ArnLike: { 'aws:SourceArn': 'arn:aws:s3' } }, 'neither "*" nor a whole ARN'],
    ['no number', { NumericEquals: { 'aws:SourceAccount': 'many' } }, 'not a number'],
    ['Null with a word', { Null: { 'aws:SourceArn': 'yes' } }, 'must be "true" or "false"'],
    ['a list as block', [], 'must be an object'],
  ])('%s', (_what, block, message) => {
    expect(() => readConditions(block, 'Role.Condition')).toThrow(message);
    expect(() => readConditions(block, 'Role.Condition')).toThrow('Role.Condition');
  });
});

describe('patterns', () => {
  test('patterns match as a naive search does', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '\n'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/', '*', '?', '['), maxLength: 6 });
    const naive = (p: string, t: string): boolean => {
      if (p === '') return t === '';
      if (p.startsWith('*')) return naive(p.slice(1), t) || (t !== '' && naive(p, t.slice(1)));
      return t !== '' && (p[0] === '?' || p[0] === t[0]) && naive(p.slice(1), t.slice(1));
    };
    fc.assert(
      fc.property(pattern, letters, (p, t) => {
        expect(globMatcher(p)(t)).toBe(naive(p, t));
      }),
      { numRuns: 1000 },
    );
  });

  test('patterns of ARNs match part by part; only the last part may hold colons', () => {
    const matches = arnMatcher('arn:aws:lambda:*:111122223333:function:*', 'Resource');
    expect(matches('arn:aws:lambda:us-east-1:111122223333:function:f:live')).toBe(true);
    expect(matches('arn:aws:lambda:us-east-1:999:111122223333:function:f')).toBe(false);
    expect(matches('arn:aws:lambda')).toBe(false);
    expect(arnMatcher('*', 'Resource')('anything')).toBe(true);
  });
});
