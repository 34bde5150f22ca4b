// @module-tag long
/**
 * A stack of CDK whose resources the gateway serves, deployed to a gateway on loopback as CloudFormation deploys it: every property is
 * changed and rolled back, resources are replaced and deleted, and a second stack uses the same gateway. The tests follow one another.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { askDeclared, type DeclaredAsker, localStackId } from '../../../dev/local/ask-declared.ts';
import {
  type DeployedResource,
  deployDeclared,
  readDeclared,
  type WantedResource,
} from '../../../dev/local/declared-resources.ts';
import { ensureAssembly } from '../../../dev/tools/assembly.ts';
import { type JsonObject, parseJson } from '../../../dev/tools/json.ts';
import { driftOf } from '../../../lambdas/declared/drift.ts';
import { sha256Hex } from '../../../lambdas/gateway/core/identifiers.ts';
import { type DeclaringGateway, IntegrationGateway, Provider } from '../../../lib/index.ts';
import { readingApi } from '../../../packages/cli/drift/reading-api.ts';
import { readSettings } from '../../../packages/client/src/settings.ts';
import { connectAccount } from '../../support/connect.ts';
import { useTestGateway, useWebhookReceiver } from '../../support/use-gateway.ts';

const SHOP = { stackName: 'Shop', region: 'us-east-1' };
/** An integration with an OAuth client of its own, whose secret belongs to the stack. */
const OWN_CLIENT = 'own-client';
const OTHER = { stackName: 'Other', region: 'us-east-1' };
const folder = mkdtempSync(join(tmpdir(), 'declared-'));
const assemblyFolder = join(folder, 'assembly');
const shop = await synthesizeShop();
const other = synthesizeOther();
const answers = useWebhookReceiver();
const running = useTestGateway({ assemblyFolder, seed: false });

/** What each stack has at the gateway. */
const stacks = {
  Shop: { deployed: [] as readonly DeployedResource[], asker: undefined as DeclaredAsker | undefined },
  Other: { deployed: [] as readonly DeployedResource[], asker: undefined as DeclaredAsker | undefined },
};

beforeAll(async () => {
  const invoke = (event: Parameters<typeof running.gateway.tick>[1]) => running.gateway.tick('declared', event);
  stacks.Shop.asker = await askDeclared(invoke, SHOP);
  stacks.Other.asker = await askDeclared(invoke, OTHER);
});
afterAll(async () => {
  for (const { asker } of Object.values(stacks)) await asker?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
/** Whatever a deployment did, the gateway has what the stacks declare, and no more keys than they do. */
afterEach(async () => {
  for (const name of ['Shop', 'Other'] as const) {
    const found = await drift(name);
    expect(found.filter(({ state }) => state !== 'same')).toEqual([]);
    expect(found).toHaveLength(stacks[name].deployed.length);
  }
  const callers = Object.values(stacks).flatMap(({ deployed }) =>
    deployed.filter(({ type }) => /Caller|Key/.test(type)),
  );
  expect((await liveCallers()).map(({ id }) => id).toSorted()).toEqual(
    callers.map(({ attributes }) => attributes.KeyId).toSorted(),
  );
});

function resourcesOf(gateway: DeclaringGateway, stack: Stack, uniqueKey: string): LambdaFunction {
  const drive = gateway.addIntegration(uniqueKey, { provider: Provider.GOOGLE_DRIVE, scopes: ['drive.readonly'] });
  const sync = new LambdaFunction(stack, 'Sync', {
    ...{ runtime: Runtime.NODEJS_24_X, handler: 'index.handler' },
    code: Code.fromAsset(join(folder, 'code')),
  });
  drive.grantCall(sync, { allow: ['drive:read'], budget: { unitsPerDay: 500_000 } });
  return sync;
}

/** The template of the gateway's own stack, with the bundles of this test run. */
async function synthesizeShop(): Promise<readonly WantedResource[]> {
  await ensureAssembly({ mode: 'reuse', step: (_name, work) => work() });
  mkdirSync(join(folder, 'code'));
  writeFileSync(join(folder, 'code', 'index.mjs'), 'export const handler = () => {};');
  const app = new App({ outdir: assemblyFolder });
  const stack = new Stack(app, SHOP.stackName, { env: { region: SHOP.region } });
  const gateway = new IntegrationGateway(stack, 'Gateway', { iamCallers: true });
  resourcesOf(gateway, stack, 'shop-drive');
  gateway.addIntegration(OWN_CLIENT, {
    ...{ provider: Provider.GOOGLE_CALENDAR, scopes: ['calendar.readonly'] },
    ...{ clientId: '1-own.apps.googleusercontent.com', clientSecret: new Secret(stack, 'Client') },
  });
  gateway.addWebhook('crm', { url: 'https://crm.example.com/' });
  gateway.addKey('etl', { allow: ['drive:read'], integrations: ['shop-drive'] });
  gateway.addFeed('handbook', { integration: 'shop-drive', connectionId: 'later', resource: 'drive' });
  return declaredIn(app, assemblyFolder, SHOP);
}

/** The template of a stack that uses the gateway of the first one. */
function synthesizeOther(): readonly WantedResource[] {
  const outdir = join(folder, 'other');
  const app = new App({ outdir });
  const stack = new Stack(app, OTHER.stackName, { env: { region: OTHER.region } });
  const gateway = IntegrationGateway.fromAttributes(stack, 'Gateway', {
    baseUrl: 'https://abc123.execute-api.us-east-1.amazonaws.com/v1',
    declaredFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:declared',
    declaredRoleArn: 'arn:aws:iam::000000000000:role/declared',
    apiId: 'abc123',
  });
  resourcesOf(gateway, stack, 'other-drive');
  return declaredIn(app, outdir, OTHER);
}

function declaredIn(app: App, outdir: string, stack: typeof SHOP): readonly WantedResource[] {
  app.synth();
  const path = join(outdir, `${stack.stackName}.template.json`);
  return readDeclared(parseJson(readFileSync(path, 'utf8'), path), stack);
}

async function deploy(name: keyof typeof stacks, wanted: readonly WantedResource[]): Promise<string | undefined> {
  const { asker, deployed } = stacks[name];
  if (asker === undefined) throw new Error('The tests have not begun');
  const { resources, failure } = await deployDeclared((request) => asker.send(request), deployed, wanted);
  stacks[name].deployed = resources;
  return failure;
}

/** Compares each resource with the gateway, as `gateway drift` does. */
async function drift(name: keyof typeof stacks) {
  const { gatewayUrl: baseUrl, secretKey } = running.gateway;
  const nothing = () => undefined;
  const declaring = {
    api: readingApi(readSettings({ baseUrl, secretKey })),
    secrets: { read: async () => undefined, write: async () => undefined },
    logger: { info: nothing, warn: nothing, error: nothing },
  };
  return Promise.all(
    stacks[name].deployed.map((one) => {
      const stack = { stackId: localStackId(name === 'Shop' ? SHOP : OTHER), resource: one.logicalId };
      return driftOf({ ...declaring, stack }, { ...one, unresolved: [] });
    }),
  );
}

async function liveCallers(): Promise<readonly { readonly id: string; readonly role_arn: string | null }[]> {
  const { body } = await running.json('GET', '/account/keys');
  return body.data.filter((one: Record<string, unknown>) => one.managed_by !== null && one.revoked_at === null);
}

async function secretValue(SecretId: string): Promise<string> {
  const { awsEndpoint: endpoint, credentials } = running.gateway;
  const secrets = new SecretsManagerClient({ endpoint, credentials: credentials.operator, region: SHOP.region });
  const { SecretString = '' } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  secrets.destroy();
  return SecretString;
}

/** The shop's resources, with other properties of one kind. */
function shopWith(kind = '', properties: JsonObject = {}): readonly WantedResource[] {
  return current.map((one) => (isOf(kind, one) ? { ...one, properties: { ...one.properties, ...properties } } : one));
}
/** Whether a resource is the one of a kind; `OwnClient` is the second integration. */
function isOf(kind: string, { type, properties }: WantedResource): boolean {
  const isOwnClient = properties.UniqueKey === OWN_CLIENT;
  return kind === 'OwnClient' ? isOwnClient : type === `Custom::Gateway${kind}` && !isOwnClient;
}
let current: readonly WantedResource[] = [];

const deployedOf = (kind: string) => {
  const found = stacks.Shop.deployed.find((one) => isOf(kind, one));
  if (found === undefined) throw new Error(`There is no ${kind}`);
  return found;
};

/** Something that fails after all others have been changed. */
const FAILING: WantedResource = {
  ...{ logicalId: 'Failing', type: 'Custom::GatewayFeed' },
  properties: { Integration: 'shop-drive', ConnectionId: 'nobody', Resource: 'drive' },
};

test('the first deployment creates integration, webhook, caller and key; a feed fails without its connection and all are rolled back', async () => {
  current = shop.map((one) =>
    one.type === 'Custom::GatewayWebhook'
      ? { ...one, properties: { ...one.properties, Url: `${answers.address}/crm` } }
      : one,
  );
  expect(current.map(({ type }) => type.replace('Custom::Gateway', ''))).toEqual([
    ...['Integration', 'Integration', 'Webhook', 'Caller', 'Key', 'Feed'],
  ]);
  expect(await deploy('Shop', current)).toMatch(/^Gatewayhandbook\w*: ConnectionId: /);
  expect(stacks.Shop.deployed).toEqual([]);
  expect((await running.json('GET', '/integrations')).body.data).toEqual([]);
  expect((await running.json('GET', '/webhooks')).body.data).toEqual([]);

  const withoutFeed = current.filter(({ type }) => type !== 'Custom::GatewayFeed');
  expect(await deploy('Shop', withoutFeed)).toBeUndefined();
  const connectionId = await connectAccount(running, 'shop-drive');
  current = shopWith('Feed', { ConnectionId: connectionId });
  expect(await deploy('Shop', current)).toBeUndefined();
  expect(stacks.Shop.deployed).toHaveLength(6);
});

test('the secret of the stack holds the key, and no answer, event or log of the gateway does', async () => {
  const { SecretArn } = deployedOf('Key').properties;
  const secret = await secretValue(String(SecretArn));
  expect(secret).toMatch(/^sk_/);
  expect(sha256Hex(secret)).toBe(deployedOf('Key').physicalId);
  const written = JSON.stringify([running.gateway.events, running.gateway.logs(), stacks.Shop.deployed]);
  expect(written).not.toContain(secret);
  expect(JSON.stringify(shop)).not.toMatch(/sk_|whsec_|GOCSPX|resolve:secretsmanager/);
});

/** Each property with another value; those that replace a resource come later. */
const CHANGES: readonly (readonly [kind: string, property: string, value: JsonObject[string]])[] = [
  ['Integration', 'DisplayName', 'Files of the shop'],
  ['Integration', 'PublicName', 'Your files'],
  ['Integration', 'Scopes', ['drive.readonly', 'drive.file']],
  ['Integration', 'PublishingStatus', 'production'],
  ['Integration', 'Audience', 'internal'],
  ['Integration', 'HostedDomain', 'example.com'],
  ['Integration', 'IncludeGrantedScopes', 'true'],
  ['OwnClient', 'ClientId', '2-own.apps.googleusercontent.com'],
  ['OwnClient', 'SecretVersion', '2'],
  ['OwnClient', 'Mode', 'live'],
  ['Webhook', 'Events', ['ConnectionCreated']],
  ['Webhook', 'Integrations', ['shop-drive']],
  ['Webhook', 'Description', 'Customers'],
  ['Caller', 'Allow', ['drive:metadata']],
  ['Caller', 'Deny', ['drive.files.get']],
  ['Caller', 'Approve', ['delete', 'drive.files.get']],
  ['Caller', 'Minute', { Calls: '60', Bytes: '1000000' }],
  ['Caller', 'Day', { Units: '1000' }],
  ['Key', 'Allow', ['drive:metadata']],
  ['Key', 'Deny', ['drive.files.get']],
  ['Key', 'Approve', ['share']],
  ['Key', 'Minute', { Calls: '60' }],
  ['Key', 'Day', { Units: '1000', Bytes: '5000000' }],
  ['Feed', 'Delivery', 'pull'],
  ['Feed', 'SafetyIntervalSec', '600'],
  ['Feed', 'PollIntervalSec', '60'],
  ['Feed', 'Meaning', 'true'],
  ['Feed', 'Seen', 'true'],
];

test.each(CHANGES)(
  '%s: %s is changed in place, rolled back with a failing update, and taken away again',
  async (kind, property, value) => {
    const before = deployedOf(kind);
    const next = shopWith(kind, { [property]: value });
    expect(await deploy('Shop', [...next, FAILING])).toMatch(/^Failing: ConnectionId: /);
    expect(deployedOf(kind)).toEqual(before);
    expect((await drift('Shop')).every(({ state }) => state === 'same')).toBe(true);

    expect(await deploy('Shop', next)).toBeUndefined();
    expect(deployedOf(kind).physicalId).toBe(before.physicalId);
    expect(deployedOf(kind).properties[property]).toEqual(value);
    expect((await drift('Shop')).every(({ state }) => state === 'same')).toBe(true);

    expect(await deploy('Shop', current)).toBeUndefined();
    expect(deployedOf(kind)).toEqual(before);
  },
);

const REPLACEMENTS: readonly (readonly [kind: string, property: string, value: () => string])[] = [
  ['Webhook', 'Url', () => `${answers.address}/second`],
  ['Key', 'Version', () => '2'],
  ['Feed', 'Resource', () => 'drives'],
  ['Caller', 'RoleArn', () => 'arn:aws:iam::000000000000:role/another'],
];

test.each(REPLACEMENTS)(
  '%s: another %s replaces the resource, and a rollback restores the former one',
  async (kind, property, value) => {
    const before = deployedOf(kind);
    const RoleId = kind === 'Caller' ? { RoleId: 'AROAEXAMPLEEXAMPLE12' } : {};
    const next = shopWith(kind, { [property]: value(), ...RoleId });
    expect(await deploy('Shop', [...next, FAILING])).toMatch(/^Failing: /);
    expect(deployedOf(kind)).toEqual(before);
    expect(await deploy('Shop', next)).toBeUndefined();
    expect(deployedOf(kind).physicalId).not.toBe(before.physicalId);
    current = next;
  },
);

test('the secret of the stack holds the text of the key that replaced the former one', async () => {
  const secret = await secretValue(String(deployedOf('Key').properties.SecretArn));
  expect(deployedOf('Key').physicalId).toBe(`${sha256Hex(secret)}/2`);
});

test('a second stack declares at the same gateway, and neither changes what the other declares', async () => {
  expect(await deploy('Other', other)).toBeUndefined();
  const taken = other.map((one) =>
    one.type === 'Custom::GatewayIntegration'
      ? { ...one, logicalId: 'Taken', properties: { ...one.properties, UniqueKey: 'shop-drive' } }
      : one,
  );
  expect(await deploy('Other', taken)).toMatch(/^Taken: UniqueKey: /);
  const { body } = await running.json('GET', '/integrations');
  expect(body.data.map((one: Record<string, { stack: string }>) => one.managed_by?.stack).toSorted()).toEqual([
    ...['Other', 'Shop', 'Shop'],
  ]);
});

test('an integration that has connections is deleted only with DeleteConnections, and then all of the stack is gone', async () => {
  const onlyIntegration = current.filter((one) => isOf('Integration', one));
  expect(await deploy('Shop', onlyIntegration)).toBeUndefined();
  expect(await deploy('Shop', [])).toMatch(/: DeleteConnections: the integration has connections/);
  expect(stacks.Shop.deployed).toHaveLength(1);
  current = onlyIntegration;
  expect(await deploy('Shop', shopWith('Integration', { DeleteConnections: 'true' }))).toBeUndefined();
  expect(await deploy('Shop', [])).toBeUndefined();
  expect(await deploy('Other', [])).toBeUndefined();
  expect((await running.json('GET', '/integrations')).body.data).toEqual([]);
  expect((await running.json('GET', '/webhooks')).body.data).toEqual([]);
  expect((await running.json('GET', '/feeds')).body.data).toEqual([]);
});
