import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AccessRequest,
  type AttachedPolicies,
  denialReason,
  evaluate,
  type Principal,
} from '../../../../local/iam/evaluate.ts';
import { type PolicyKind, readPolicy } from '../../../../local/iam/policy.ts';
import type { JsonObject } from '../../../../local/json.ts';

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
  test('is denied while nothing allows it', () => {
    expect(reason(READ, attached())).toBe('because no identity-based policy allows the dynamodb:GetItem action');
  });

  test('is allowed by an identity policy of that action and resource, and by no other', () => {
    const allowedBy = (more: JsonObject) =>
      evaluate(READ, attached({ identity: statements('identity', allow(more)) })).allowed;
    expect(allowedBy({})).toBe(true);
    expect(allowedBy({ Action: 'DynamoDB:getitem' })).toBe(true);
    expect(allowedBy({ Action: 'dynamodb:Get*' })).toBe(true);
    expect(allowedBy({ Action: 'dynamodb:GetItem?' })).toBe(false);
    expect(allowedBy({ Action: ['kms:*', '*'] })).toBe(true);
    expect(allowedBy({ Action: 'kms:GetItem' })).toBe(false);
    expect(allowedBy({ Resource: '*' })).toBe(true);
    expect(allowedBy({ Resource: [`${TABLE}/index/i`, `${TABLE}2`] })).toBe(false);
    expect(allowedBy({ Resource: TABLE.toUpperCase() })).toBe(false);
  });

  test('the right to a table is none to its indexes, and the other way round', () => {
    const index = { ...READ, action: 'dynamodb:Query', resource: `${TABLE}/index/byGrant` };
    const onTable = attached({ identity: statements('identity', allow({ Action: 'dynamodb:Query' })) });
    const onIndex = attached({
      identity: statements('identity', allow({ Action: 'dynamodb:Query', Resource: index.resource })),
    });
    expect([evaluate(index, onTable).allowed, evaluate(index, onIndex).allowed]).toEqual([false, true]);
    expect(evaluate({ ...index, resource: TABLE }, onIndex).allowed).toBe(false);
  });

  test('NotAction and NotResource speak of everything else', () => {
    const not = (more: JsonObject) =>
      evaluate(READ, attached({ identity: statements('identity', { Effect: 'Allow', ...more }) })).allowed;
    expect(not({ NotAction: 'kms:*', Resource: '*' })).toBe(true);
    expect(not({ NotAction: 'dynamodb:Get*', Resource: '*' })).toBe(false);
    expect(not({ Action: '*', NotResource: TABLE })).toBe(false);
    expect(not({ Action: '*', NotResource: `${TABLE}/index/*` })).toBe(true);
  });

  test('a denial wins over every permission, wherever it stands', () => {
    const identity = statements('identity', allow({ Action: '*', Resource: '*' }));
    const everyone = { Principal: '*' };
    expect(reason(READ, attached({ identity: [...identity, ...statements('identity', deny())] }))).toBe(
      'with an explicit deny in an identity-based policy',
    );
    expect(reason(READ, attached({ identity, resource: statements('resource', deny(everyone)) }))).toBe(
      'with an explicit deny in a resource-based policy',
    );
    expect(
      reason(
        READ,
        attached({
          identity,
          resource: statements('resource', allow(everyone), deny({ Principal: { AWS: ACCOUNT } })),
        }),
      ),
    ).toBe('with an explicit deny in a resource-based policy');
  });

  test('the policy of the resource allows by itself whom it names, and its account only with an identity policy', () => {
    const resource = (Principal: JsonObject | string) =>
      attached({ resource: statements('resource', allow({ Principal })) });
    expect(evaluate(READ, resource('*')).allowed).toBe(true);
    expect(evaluate(READ, resource({ AWS: ROLE })).allowed).toBe(true);
    expect(evaluate(READ, resource({ AWS: `arn:aws:sts::${ACCOUNT}:assumed-role/proxy/proxy` })).allowed).toBe(true);
    expect(evaluate(READ, resource({ AWS: `arn:aws:iam::${ACCOUNT}:role/other` })).allowed).toBe(false);
    expect(evaluate(READ, resource({ AWS: `arn:aws:iam::${ACCOUNT}:root` })).allowed).toBe(false);
    expect(evaluate(READ, resource({ Service: 'lambda.amazonaws.com' })).allowed).toBe(false);
  });
});

describe('a request to a KMS key', () => {
  const request: AccessRequest = { ...READ, action: 'kms:Decrypt', resource: KEY };
  const identity = statements('identity', { Effect: 'Allow', Action: 'kms:Decrypt', Resource: KEY });
  const keyPolicy = (more: JsonObject) =>
    statements('resource', { Effect: 'Allow', Action: 'kms:*', Resource: '*', ...more });
  const decide = (policies: Partial<AttachedPolicies>) =>
    reason(request, attached({ resourceMustAllow: true, ...policies }));

  test('needs the key policy to let the account in, and an identity policy besides', () => {
    const account = keyPolicy({ Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` } });
    expect(decide({ identity, resource: account })).toBe('allowed');
    expect(decide({ resource: account })).toBe('because no identity-based policy allows the kms:Decrypt action');
    expect(decide({ identity })).toBe('because no resource-based policy allows the kms:Decrypt action');
    expect(decide({ identity, resource: keyPolicy({ Principal: { AWS: '111122223333' } }) })).toBe(
      'because no resource-based policy allows the kms:Decrypt action',
    );
    expect(decide({ identity, resource: keyPolicy({ Principal: { AWS: ACCOUNT }, Action: 'kms:Encrypt' }) })).toBe(
      'because no resource-based policy allows the kms:Decrypt action',
    );
  });

  test('is allowed by a key policy that names the role, without any identity policy', () => {
    expect(decide({ resource: keyPolicy({ Principal: { AWS: ROLE } }) })).toBe('allowed');
  });

  test('holds to the encryption context that a policy asks for', () => {
    const resource = keyPolicy({ Principal: { AWS: ACCOUNT } });
    const bound = statements('identity', {
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: KEY,
      Condition: { StringEquals: { 'kms:EncryptionContext:purpose': 'tokens' } },
    });
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

  test('access needs a permission, and an explicit denial is told apart from none', () => {
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
