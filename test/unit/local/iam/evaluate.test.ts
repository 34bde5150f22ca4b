import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccessRequest,
  type AttachedPolicies,
  denialReason,
  evaluate,
  type Principal,
} from '../../../../dev/local/iam/evaluate.ts';
import { type PolicyKind, readPolicy } from '../../../../dev/local/iam/policy.ts';
import type { JsonObject } from '../../../../dev/tools/json.ts';

const ACCOUNT = '000000000000';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/proxy`;
const SESSION: Principal = {
  kind: 'session',
  account: ACCOUNT,
  roleArn: ROLE,
  sessionArn: `arn:aws:sts::${ACCOUNT}:assumed-role/proxy/proxy`,
};
const TABLE = `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/t`;
const KEY = `arn:aws:kms:eu-central-1:${ACCOUNT}:key/k`;
const READ: AccessRequest = { principal: SESSION, action: 'dynamodb:GetItem', resource: TABLE, context: {} };

function statements(kind: PolicyKind, ...list: JsonObject[]) {
  return readPolicy({ Version: '2012-10-17', Statement: list }, kind, 'policy');
}

const allow = (more: JsonObject = {}): JsonObject => ({
  Effect: 'Allow',
  Action: 'dynamodb:GetItem',
  Resource: TABLE,
  ...more,
});
const deny = (more: JsonObject = {}): JsonObject => ({ ...allow(more), Effect: 'Deny' });

function attached(more: Partial<AttachedPolicies> = {}): AttachedPolicies {
  return { identity: [], resource: [], resourceMustAllow: false, ...more };
}

const reason = (request: AccessRequest, policies: AttachedPolicies): string => {
  const decision = evaluate(request, policies);
  return decision.allowed ? 'allowed' : denialReason(request.action, decision);
};

describe('a request within one account', () => {
  test('a request within one account is denied while nothing allows it', () => {
    expect(reason(READ, attached())).toBe('because no identity-based policy allows the dynamodb:GetItem action');
  });

  test.each<[more: Record<string, unknown>, allowed: boolean]>([
    [{}, true],
    [{ Action: 'DynamoDB:getitem' }, true],
    [{ Action: 'dynamodb:Get*' }, true],
    [{ Action: 'dynamodb:GetItem?' }, false],
    [{ Action: ['kms:*', '*'] }, true],
    [{ Action: 'kms:GetItem' }, false],
    [{ Resource: '*' }, true],
    [{ Resource: [`${TABLE}/index/i`, `${TABLE}2`] }, false],
    [{ Resource: TABLE.toUpperCase() }, false],
    [{ Action: undefined, NotAction: 'kms:*' }, true],
    [{ Action: undefined, NotAction: 'dynamodb:Get*' }, false],
    [{ Resource: undefined, NotResource: TABLE }, false],
    [{ Resource: undefined, NotResource: `${TABLE}/index/*` }, true],
  ])('under an identity policy with %j is allowed: %s', (more, allowed) => {
    const statement: JsonObject = JSON.parse(JSON.stringify({ ...allow(), ...more }));
    expect(evaluate(READ, attached({ identity: statements('identity', statement) })).allowed).toBe(allowed);
  });

  test('the right to a table is none to its indexes, and the other way round', () => {
    const index = { ...READ, action: 'dynamodb:Query', resource: `${TABLE}/index/byGrant` };
    const onTable = attached({ identity: statements('identity', allow({ Action: 'dynamodb:Query' })) });
    const ofIndex = allow({ Action: 'dynamodb:Query', Resource: index.resource });
    const onIndex = attached({ identity: statements('identity', ofIndex) });
    expect([evaluate(index, onTable).allowed, evaluate(index, onIndex).allowed]).toEqual([false, true]);
    expect(evaluate({ ...index, resource: TABLE }, onIndex).allowed).toBe(false);
  });

  test('a denial wins over every permission, wherever it stands', () => {
    const identity = statements('identity', allow({ Action: '*', Resource: '*' }));
    const everyone = { Principal: '*' };
    const denied = (policies: Partial<AttachedPolicies>) => reason(READ, attached({ identity, ...policies }));
    const own = [...identity, ...statements('identity', deny())];
    expect(denied({ identity: own })).toBe('with an explicit deny in an identity-based policy');
    const byResource = 'with an explicit deny in a resource-based policy';
    expect(denied({ resource: statements('resource', deny(everyone)) })).toBe(byResource);
    const ofAccount = statements('resource', allow(everyone), deny({ Principal: { AWS: ACCOUNT } }));
    expect(denied({ resource: ofAccount })).toBe(byResource);
  });

  test.each<[principal: JsonObject | string, allowed: boolean]>([
    ['*', true],
    [{ AWS: ROLE }, true],
    [{ AWS: `arn:aws:sts::${ACCOUNT}:assumed-role/proxy/proxy` }, true],
    [{ AWS: `arn:aws:iam::${ACCOUNT}:role/other` }, false],
    // The account as a whole only lets identity policies count.
    [{ AWS: `arn:aws:iam::${ACCOUNT}:root` }, false],
    [{ Service: 'lambda.amazonaws.com' }, false],
  ])('under a policy of the resource for %j alone is allowed: %s', (Principal, allowed) => {
    expect(evaluate(READ, attached({ resource: statements('resource', allow({ Principal })) })).allowed).toBe(allowed);
  });
});

describe('a request to a KMS key', () => {
  const request: AccessRequest = { ...READ, action: 'kms:Decrypt', resource: KEY };
  const identity = statements('identity', { Effect: 'Allow', Action: 'kms:Decrypt', Resource: KEY });
  const keyPolicy = (more: JsonObject) =>
    statements('resource', { Effect: 'Allow', Action: 'kms:*', Resource: '*', ...more });
  const decide = (policies: Partial<AttachedPolicies>) =>
    reason(request, attached({ resourceMustAllow: true, ...policies }));

  test('needs the key policy to let the account in, and an identity policy as well', () => {
    const account = keyPolicy({ Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } });
    const missing = (kind: string) => `because no ${kind}-based policy allows the kms:Decrypt action`;
    expect(decide({ identity, resource: account })).toBe('allowed');
    expect(decide({ resource: account })).toBe(missing('identity'));
    expect(decide({ identity })).toBe(missing('resource'));
    const others = [{ Principal: { AWS: '111122223333' } }, { Principal: { AWS: ACCOUNT }, Action: 'kms:Encrypt' }];
    for (const more of others) expect(decide({ identity, resource: keyPolicy(more) })).toBe(missing('resource'));
  });

  test('a request to a KMS key is allowed by a key policy that names the role, without any identity policy', () => {
    expect(decide({ resource: keyPolicy({ Principal: { AWS: ROLE } }) })).toBe('allowed');
  });

  test('holds to the encryption context that a policy asks for', () => {
    const resource = keyPolicy({ Principal: { AWS: ACCOUNT } });
    const Condition = { StringEquals: { 'kms:EncryptionContext:purpose': 'tokens' } };
    const bound = statements('identity', allow({ Action: 'kms:Decrypt', Resource: KEY, Condition }));
    const withContext = (context: AccessRequest['context']) =>
      evaluate({ ...request, context }, attached({ identity: bound, resource, resourceMustAllow: true })).allowed;
    expect(withContext({ 'kms:encryptioncontext:purpose': 'tokens' })).toBe(true);
    expect(withContext({ 'kms:encryptioncontext:purpose': 'Tokens' })).toBe(false);
    expect(withContext({ 'kms:encryptioncontext:account': 'tokens' })).toBe(false);
    expect(withContext({})).toBe(false);
  });
});

describe('a service of AWS', () => {
  const trust = (Condition: JsonObject, Service = 'scheduler.amazonaws.com') =>
    readPolicy(
      {
        Version: '2012-10-17',
        Statement: { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service }, Condition },
      },
      'trust',
      'trust',
    );
  const group = 'arn:aws:scheduler:eu-central-1:000000000000:schedule-group/g';
  const request: AccessRequest = {
    principal: { kind: 'service', name: 'scheduler.amazonaws.com' },
    action: 'sts:AssumeRole',
    resource: ROLE,
    context: { 'aws:sourceaccount': ACCOUNT, 'aws:sourcearn': group },
  };
  const assumes = (Condition: JsonObject, service?: string) =>
    evaluate(request, attached({ resource: trust(Condition, service), resourceMustAllow: true })).allowed;

  test('assumes a role that trusts it, from where the trust says', () => {
    expect(assumes({ StringEquals: { 'aws:SourceAccount': ACCOUNT, 'aws:SourceArn': group } })).toBe(true);
    expect(assumes({ ArnLike: { 'aws:SourceArn': `${group.slice(0, -1)}*` } })).toBe(true);
    expect(assumes({ StringEquals: { 'aws:SourceAccount': '111122223333' } })).toBe(false);
    expect(assumes({ StringEquals: { 'aws:SourceArn': `${group}2` } })).toBe(false);
    expect(assumes({}, 'pipes.amazonaws.com')).toBe(false);
  });
});

describe('any policies', () => {
  const actions = fc.constantFrom('dynamodb:GetItem', 'dynamodb:*', 'dynamodb:Put*', '*', 'kms:Decrypt');
  const resources = fc.constantFrom(TABLE, `${TABLE}/index/*`, 'arn:aws:dynamodb:*:*:table/*', '*', KEY);
  const statement = (effect: fc.Arbitrary<string>) =>
    fc.record({ Effect: effect, Action: fc.array(actions, { minLength: 1, maxLength: 3 }), Resource: resources });
  const policy = fc.array(statement(fc.constantFrom('Allow', 'Allow', 'Deny')), { maxLength: 6 });
  const decide = (identity: JsonObject[], resource: JsonObject[]) =>
    evaluate(
      READ,
      attached({
        identity: statements('identity', ...identity),
        resource: statements('resource', ...resource.map((one) => ({ ...one, Principal: '*' }))),
      }),
    ).allowed;

  test('one more permission never takes access away, one more denial never gives it', () => {
    fc.assert(
      fc.property(
        policy,
        policy,
        statement(fc.constant('Allow')),
        statement(fc.constant('Deny')),
        (a, b, more, less) => {
          const before = decide(a, b);
          if (before) expect([decide([...a, more], b), decide(a, [...b, more])]).toEqual([true, true]);
          else expect([decide([...a, less], b), decide(a, [...b, less])]).toEqual([false, false]);
        },
      ),
    );
  });

  test('the order of statements means nothing, nor whether they stand in one document', () => {
    fc.assert(
      fc.property(policy, policy, (a, b) => {
        expect(decide(a.toReversed(), b.toReversed())).toBe(decide(a, b));
      }),
    );
  });

  test('access needs a permission, and an explicit denial is distinguished from none', () => {
    fc.assert(
      fc.property(policy, (a) => {
        const decision = evaluate(READ, attached({ identity: statements('identity', ...a) }));
        const effects = (effect: string) => a.filter((one) => one.Effect === effect);
        if (decision.allowed) expect(effects('Allow').length).toBeGreaterThan(0);
        else if (decision.explicit) expect(effects('Deny').length).toBeGreaterThan(0);
        else expect(decide(effects('Allow'), [])).toBe(false);
      }),
    );
  });
});
