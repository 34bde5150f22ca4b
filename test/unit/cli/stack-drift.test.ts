import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { readingApi } from '../../../packages/cli/drift/reading-api.ts';
import { resolved, stackDrift } from '../../../packages/cli/drift/stack-drift.ts';
import { describe as problemOf } from '../../../packages/cli/problems.ts';
import { readSettings } from '../../../packages/client/src/settings.ts';
import { declaredStack, KEY_SECRET_ARN, SIGNING_SECRET_ARN, STACK_ID } from '../declared/declared-stack.ts';

const SCOPE = 'https://www.googleapis.com/auth/drive.readonly';
const formation = mockClient(CloudFormationClient);
afterEach(() => {
  formation.reset();
  vi.unstubAllGlobals();
});
afterAll(() => formation.restore());

/** Values as CloudFormation sends them, next to the template that they come from. */
const PROPERTIES = {
  Integration: { Provider: 'google-drive', UniqueKey: 'drive', Scopes: ['drive.readonly'] },
  Webhook: { Url: 'https://crm.example.com/', SigningSecretArn: SIGNING_SECRET_ARN, Verify: 'false' },
  Caller: { RoleArn: 'arn:aws:iam::111122223333:role/sync', Allow: ['drive:read'], Day: { Units: '5000' } },
  Key: { SecretArn: KEY_SECRET_ARN, Allow: ['drive:metadata'] },
  Feed: { Integration: 'drive', ConnectionId: 'service', Resource: 'drive' },
};
const IN_TEMPLATE: Readonly<Record<string, object>> = {
  Webhook: { Url: { Ref: 'CrmUrl' }, SigningSecretArn: { Ref: 'CrmSecret' } },
  Caller: { RoleArn: { 'Fn::GetAtt': ['SyncRole', 'Arn'] } },
  Key: { SecretArn: { Ref: 'KeySecret' } },
};

/** A deployed stack with one resource of each type. */
async function deployed() {
  const stack = declaredStack();
  for (const arn of [SIGNING_SECRET_ARN, KEY_SECRET_ARN]) stack.secrets.set(arn, 'first value');
  await stack.gateway.addConnection({ integrationId: 'drive', connectionId: 'service', grantedScopes: [SCOPE] });
  const resources: { LogicalResourceId: string; ResourceType: string; PhysicalResourceId: string }[] = [];
  for (const [kind, properties] of Object.entries(PROPERTIES)) {
    const made = await stack.send('Create', kind, properties, { resource: kind });
    expect(made).toMatchObject({ status: 'SUCCESS' });
    const ids = { LogicalResourceId: kind, PhysicalResourceId: made.physicalId };
    resources.push({ ...ids, ResourceType: `Custom::Gateway${kind}` });
  }
  const Resources = Object.fromEntries(
    Object.entries(PROPERTIES).map(([kind, properties]) => [
      kind,
      { Properties: { ServiceToken: { Ref: 'Token' }, ...properties, ...IN_TEMPLATE[kind] } },
    ]),
  );
  const Parameters = [{ ParameterKey: 'CrmUrl', ParameterValue: PROPERTIES.Webhook.Url }];
  formation.on(DescribeStacksCommand).resolves({
    Stacks: [{ StackId: STACK_ID, StackName: 'shop', CreationTime: undefined, StackStatus: undefined, Parameters }],
  });
  formation.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify({ Resources }) });
  formation.on(ListStackResourcesCommand).resolves({
    StackResourceSummaries: [
      { LogicalResourceId: 'Other', ResourceType: 'AWS::S3::Bucket', PhysicalResourceId: 'bucket' },
      ...resources,
    ].map((one) => ({ ...one, LastUpdatedTimestamp: undefined, ResourceStatus: undefined })),
  });
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    expect(method).toBe('GET');
    const { status, body } = await stack.gateway.call('GET', url.replace('https://gateway.example', ''));
    return new Response(JSON.stringify(body), { status });
  });
  const api = readingApi(readSettings({ baseUrl: 'https://gateway.example/', secretKey: 'sk' }));
  const drift = () => stackDrift(api, 'shop', 'eu-central-1');
  const idOf = (kind: string) => resources.find(({ LogicalResourceId: id }) => id === kind)?.PhysicalResourceId;
  return { ...stack, drift, idOf };
}

test('a stack that was just deployed has no drift, and values that are not in its template are named', async () => {
  const { drift } = await deployed();
  const found = (await drift()).map(({ logicalId, state, differences, notCompared }) => [
    logicalId,
    state,
    differences,
    notCompared,
  ]);
  expect(found).toEqual([
    ['Integration', 'same', [], []],
    ['Webhook', 'same', [], ['SigningSecretArn']],
    ['Caller', 'same', [], ['RoleArn']],
    ['Key', 'same', [], ['SecretArn']],
    ['Feed', 'same', [], []],
  ]);
});

test('drift lists each property that was changed by hand with both values, and what is gone', async () => {
  const { drift, gateway, idOf } = await deployed();
  const change = async (path: string, body: object) => {
    expect(await gateway.call('PATCH', `${path}?force=true`, { body })).toMatchObject({ status: 200 });
  };
  await change('/integrations/drive', { public_name: 'By hand' });
  await change(`/webhooks/${idOf('Webhook')}`, { types: ['ConnectionCreated'] });
  await change(`/account/keys/${idOf('Caller')}`, {
    limits: { mode: 'enforce', allow: ['drive:metadata'], day: { units: 9 } },
  });
  await change(`/feeds/${idOf('Feed')}`, { delivery: 'pull', meaning: true });
  expect(await gateway.call('DELETE', `/account/keys/${idOf('Key')}`)).toMatchObject({ status: 200 });
  const found = (await drift()).map(({ logicalId, state, differences }) => [logicalId, state, differences]);
  expect(found).toEqual([
    ['Integration', 'changed', [{ property: 'PublicName', declared: null, now: 'By hand' }]],
    ['Webhook', 'changed', [{ property: 'Events', declared: null, now: ['ConnectionCreated'] }]],
    [
      'Caller',
      'changed',
      [
        { property: 'Allow', declared: ['drive:read'], now: ['drive:metadata'] },
        { property: 'Day', declared: { units: 5000 }, now: { units: 9 } },
      ],
    ],
    ['Key', 'missing', []],
    [
      'Feed',
      'changed',
      [
        { property: 'Delivery', declared: 'bus', now: 'pull' },
        { property: 'Meaning', declared: false, now: true },
      ],
    ],
  ]);
});

/** What `deployed()` declares, as a person writes it. */
const YAML = `
AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  CrmUrl: { Type: String }
  Rights: { Type: CommaDelimitedList }
Resources:
  Integration:
    Type: Custom::GatewayIntegration
    Properties: { ServiceToken: !Ref Token, Provider: google-drive, UniqueKey: drive, Scopes: [drive.readonly] }
  Webhook:
    Type: Custom::GatewayWebhook
    Properties:
      Url: !Ref CrmUrl
      SigningSecretArn: !Ref CrmSecret
      Verify: false
  Caller:
    Type: Custom::GatewayCaller
    Properties:
      RoleArn: !GetAtt SyncRole.Arn
      Allow: !Ref Rights
      Day: { Units: 5000 }
  Key:
    Properties: { SecretArn: !Sub '\${KeySecret}', Allow: ['drive:metadata'], Name: !If [Named, etl, !Ref AWS::NoValue] }
  Feed:
    Properties: { Integration: drive, ConnectionId: service, Resource: drive }
`;

test('a template in YAML, with short forms of functions and a list as a parameter, is compared as one in JSON', async () => {
  const { drift, gateway } = await deployed();
  formation.on(GetTemplateCommand).resolves({ TemplateBody: YAML });
  const given = { CrmUrl: PROPERTIES.Webhook.Url, Rights: 'drive:read' };
  const Parameters = Object.entries(given).map(([ParameterKey, ParameterValue]) => ({ ParameterKey, ParameterValue }));
  formation.on(DescribeStacksCommand).resolves({
    Stacks: [{ StackId: STACK_ID, StackName: 'shop', CreationTime: undefined, StackStatus: undefined, Parameters }],
  });
  const states = async () =>
    (await drift()).map(({ logicalId, state, notCompared }) => [logicalId, state, notCompared]);
  expect(await states()).toEqual([
    ['Integration', 'same', []],
    ['Webhook', 'same', ['SigningSecretArn']],
    ['Caller', 'same', ['RoleArn']],
    ['Key', 'same', ['SecretArn', 'Name']],
    ['Feed', 'same', []],
  ]);
  await gateway.call('PATCH', '/integrations/drive?force=true', { body: { public_name: 'By hand' } });
  expect((await states())[0]).toEqual(['Integration', 'changed', []]);
});

test('text that is no template ends the command with a sentence', async () => {
  const { drift } = await deployed();
  formation.on(GetTemplateCommand).resolves({ TemplateBody: 'Resources: [' });
  await expect(drift()).rejects.toThrow('The template of shop cannot be read: ');
});

test('drift lists limits that were set by hand and that no property declares', async () => {
  const { drift, gateway, idOf } = await deployed();
  const by_hand = {
    ...{ expires_at: '2027-01-01T00:00:00.000Z', connections: ['one'], sources: ['203.0.113.0/24'] },
    ...{ end_users: { plan: 'paid' }, approve: ['delete'], priority: 'background' },
  };
  for (const kind of ['Caller', 'Key'] as const) {
    const { status } = await gateway.call('PATCH', `/account/keys/${idOf(kind)}?force=true`, {
      body: { limits: { mode: 'enforce', allow: PROPERTIES[kind].Allow, ...by_hand } },
    });
    expect(status).toBe(200);
  }
  const found = (await drift()).filter(({ logicalId }) => logicalId === 'Caller' || logicalId === 'Key');
  for (const { differences } of found) {
    const changed = differences.filter(({ declared }) => declared === null).map(({ now, property }) => [property, now]);
    expect(Object.fromEntries(changed)).toEqual({
      ...{ ExpiresAt: by_hand.expires_at, Connections: by_hand.connections, Sources: by_hand.sources },
      ...{ EndUsers: by_hand.end_users, Approve: by_hand.approve, Priority: by_hand.priority },
    });
  }
});

test.each([
  ['a refused key', () => Response.json({ error: { code: 'invalid_secret_key', message: 'No.' } }, refused), 1],
  ['no answer', () => Promise.reject(new TypeError('fetch failed')), 3],
  ['an answer of another server', () => new Response('<html>', { status: 200 }), 3],
])('drift ends with the exit code of other commands after %s', async (_what, answer, exitCode) => {
  const { drift } = await deployed();
  vi.stubGlobal('fetch', async () => answer());
  const error = await drift().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(problemOf(error).exitCode).toBe(exitCode);
});

const refused = { status: 401, headers: { 'x-gateway-error': 'invalid_secret_key' } };

test('values that the template does not show are not compared: dynamic references, hidden parameters and other resources', () => {
  const declared = {
    ...{ Url: '{{resolve:ssm:/crm/url}}', ClientId: { Ref: 'Hidden' }, SecretArn: { Ref: 'Secret' } },
    ...{
      Scopes: { Ref: 'Scopes' },
      PublicName: { Ref: 'AWS::NoValue' },
      Mode: 'live',
      Day: { Units: { Ref: 'Hidden' } },
    },
  };
  expect(resolved(declared, { Hidden: '****', Scopes: ['drive.file', 'drive.readonly'] })).toEqual({
    properties: { Scopes: ['drive.file', 'drive.readonly'], Mode: 'live' },
    unresolved: ['Url', 'ClientId', 'SecretArn', 'Day'],
  });
});

test('literal numbers of a template are compared as the text that CloudFormation sends', async () => {
  const { drift } = await deployed();
  const Resources = {
    Caller: { Properties: { ...PROPERTIES.Caller, Name: 7 } },
    Integration: { Properties: { ...PROPERTIES.Integration, SecretVersion: 2, IncludeGrantedScopes: false } },
    Key: { Properties: { ...PROPERTIES.Key, Version: 2 } },
  };
  formation.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify({ Resources }) });
  const found = await drift();
  for (const kind of Object.keys(Resources)) {
    expect(found.find(({ logicalId }) => logicalId === kind)).toMatchObject({ logicalId: kind, state: 'same' });
  }
});

test('properties whose values the template does not show are not compared, also those that a resource requires', async () => {
  const { drift, gateway } = await deployed();
  const hidden = { 'Fn::GetAtt': ['Other', 'Value'] };
  const Resources = Object.fromEntries(
    Object.entries(PROPERTIES).map(([kind, properties]) => [
      kind,
      { Properties: Object.fromEntries(Object.keys(properties).map((name) => [name, hidden])) },
    ]),
  );
  formation.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify({ Resources }) });
  const found = (await drift()).map(({ logicalId, state, differences, notCompared, reason }) => [
    logicalId,
    { state, differences, notCompared, reason },
  ]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(
      Object.entries(PROPERTIES).map(([kind, properties]) => [
        kind,
        { state: 'same', differences: [], notCompared: Object.keys(properties), reason: undefined },
      ]),
    ),
  );
  await gateway.call('PATCH', '/integrations/drive?force=true', { body: { display_name: 'By hand' } });
  expect((await drift())[0]).toMatchObject({ state: 'changed', differences: [{ property: 'DisplayName' }] });
});
