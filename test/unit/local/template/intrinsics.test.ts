import { describe, expect, it } from 'vitest';
import { resolveIntrinsics } from '../../../../dev/local/template/intrinsics.ts';
import { referenceScope } from '../../../../dev/local/template/references.ts';
import { readResources } from '../../../../dev/local/template/resource.ts';
import type { Json } from '../../../../dev/tools/json.ts';

const RESOURCES = readResources({
  Resources: {
    Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    Named: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: { TableName: { 'Fn::Join': ['-', ['a', { Ref: 'AWS::Region' }]] } },
    },
    Loop: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: { Ref: 'Loop' } } },
    Secret: { Type: 'AWS::SecretsManager::Secret', Properties: {} },
    Key: { Type: 'AWS::KMS::Key', Properties: {} },
    Fn: { Type: 'AWS::Lambda::Function', Properties: {} },
    Alias: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Fn' }, Name: 'live' } },
    Role: { Type: 'AWS::IAM::Role', Properties: {} },
    Queue: { Type: 'AWS::SQS::Queue', Properties: {} },
  },
});
const scope = referenceScope(
  RESOURCES,
  { stackName: 'Stack', region: 'eu-west-1' },
  new Map([['Role.RoleId', 'given']]),
);
const resolve = (value: Json): Json => resolveIntrinsics(value, scope, 'Fn.Environment');

/** A variable of Fn::Sub. */
function variable(name: string): string {
  return ['$', '{', name, '}'].join('');
}

describe('intrinsics', () => {
  it('Fn::Select takes one part of what Fn::Split makes of a text', () => {
    const parts = { 'Fn::Split': ['/', 'https://abc.lambda-url.test/'] };
    expect(resolve({ 'Fn::Select': [2, parts] })).toBe('abc.lambda-url.test');
    expect(() => resolve({ 'Fn::Select': [9, parts] })).toThrow(/Fn.Environment: Fn::Select has no entry 9/);
  });

  it.each<[Json, Json]>([
    [{ Ref: 'AWS::AccountId' }, '000000000000'],
    [{ Ref: 'AWS::Region' }, 'eu-west-1'],
    [{ Ref: 'Table' }, 'Stack-Table'],
    [{ Ref: 'Named' }, 'a-eu-west-1'],
    [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:aws:dynamodb:eu-west-1:000000000000:table/Stack-Table'],
    [{ 'Fn::GetAtt': 'Table.StreamArn' }, 'arn:aws:dynamodb:eu-west-1:000000000000:table/Stack-Table/stream/local'],
    [{ 'Fn::GetAtt': ['Role', 'Arn'] }, 'arn:aws:iam::000000000000:role/Stack-Role'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:aws:sqs:eu-west-1:000000000000:Stack-Queue'],
    [{ 'Fn::GetAtt': ['Role', 'RoleId'] }, 'given'],
    [{ 'Fn::Join': ['', ['a', { Ref: 'AWS::URLSuffix' }, 1]] }, 'aamazonaws.com1'],
    [
      {
        'Fn::Sub': `x-${variable('AWS::Region')}-${variable('Table')}-${variable('Table.Arn')}-${variable('!Literal')}`,
      },
      `x-eu-west-1-Stack-Table-arn:aws:dynamodb:eu-west-1:000000000000:table/Stack-Table-${variable('Literal')}`,
    ],
    [{ 'Fn::Sub': [variable('own'), { own: { Ref: 'AWS::Partition' } }] }, 'aws'],
    [[{ a: [{ Ref: 'AWS::StackName' }] }], [{ a: ['Stack'] }]],
    [
      { Ref: 'x', other: 1 },
      { Ref: 'x', other: 1 },
    ],
  ])('%j resolves to %j', (value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });

  it('gives a secret’s ARN for Ref, and a key’s id', () => {
    expect(resolve({ Ref: 'Secret' })).toMatch(
      /^arn:aws:secretsmanager:eu-west-1:000000000000:secret:Stack-Secret-[A-Za-z0-9]{6}$/,
    );
    expect(resolve({ Ref: 'Key' })).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });

  it('gives an alias the ARN of its function with its own name behind it', () => {
    expect(resolve({ Ref: 'Alias' })).toBe(`${resolve({ 'Fn::GetAtt': ['Fn', 'Arn'] })}:live`);
  });

  it.each<[Json, RegExp]>([
    [{ 'Fn::GetStackOutput': ['Other', 'x'] }, /Fn\.Environment\.A: Fn::GetStackOutput refers to another stack/],
    [{ 'Fn::ImportValue': 'x' }, /Fn\.Environment\.A: Fn::ImportValue is not known/],
    [{ Ref: 'Missing' }, /Fn\.Environment\.A: there is no resource Missing/],
    [{ Ref: 'AWS::NotificationARNs' }, /AWS::NotificationARNs has no local value/],
    [{ 'Fn::GetAtt': ['Table', 'TableId'] }, /AWS::DynamoDB::GlobalTable has no attribute TableId/],
    [{ Ref: 'Loop' }, /the name of Loop refers to itself/],
  ])('%j is refused with its place', (value, message) => {
    expect(() => resolve({ A: value })).toThrow(message);
  });
});
