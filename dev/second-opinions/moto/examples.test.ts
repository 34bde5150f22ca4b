/**
 * The three examples that are CDK apps, and a stack that uses the gateway of one of them, deployed to moto's server instead of AWS. Their
 * declared resources are served by the gateway's function on a gateway on loopback. The tests follow one another.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { driftOf } from '../../../lambdas/declared/drift.ts';
import { IntegrationGateway, Provider } from '../../../lib/index.ts';
import { readingApi } from '../../../packages/cli/drift/reading-api.ts';
import { readSettings } from '../../../packages/client/src/settings.ts';
import { askDeclared, localStackId } from '../../local/ask-declared.ts';
import type { ResourceRequest } from '../../local/declared-resources.ts';
import { closeServer, LOOPBACK, listen } from '../../local/network.ts';
import { type LocalGateway, startLocal } from '../../local/start.ts';
import { synthesizeApp } from '../../local/synthesize-app.ts';
import { LOCAL_ACCOUNT_ID } from '../../local/template/references.ts';
import { capture } from '../../tools/installed-programs.ts';
import { asArray, asObject, type Json, type JsonObject, parseJson } from '../../tools/json.ts';
import { pythonTool } from '../tools.ts';
import { type MotoServer, startMoto } from './server.ts';
import { resourcesOfTemplate } from './template.ts';

const REGION = 'eu-central-1';
const COMMAND_TIMEOUT_MS = 300_000;
const EXAMPLES = [
  ['indexer', 'Indexer', 'drive-index', ['drive:metadata']],
  ['booking-api', 'Booking', 'booking', ['calendar.freebusy.query', 'calendar.events.insert']],
  ['assistant', 'Assistant', 'assistant', expect.arrayContaining(['calendar.events.delete'])],
] as const;

const requestSchema = z.custom<ResourceRequest & { readonly StackId: string }>(
  (value) => z.looseObject({ RequestType: z.string(), StackId: z.string() }).safeParse(value).success,
);
const resourcesSchema = z.object({
  StackResources: z.array(
    z.object({ LogicalResourceId: z.string(), PhysicalResourceId: z.string().default(''), ResourceType: z.string() }),
  ),
});

const stacksSchema = z.object({
  Stacks: z.array(z.object({ Outputs: z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })) })),
});

const folder = mkdtempSync(join(tmpdir(), 'moto-examples-'));
const templates = new Map<string, JsonObject>();
/** The last request of each resource, by stack and logical id. */
const requests = new Map<string, ResourceRequest>();
let moto: MotoServer;
let gateway: LocalGateway;
let server: Server;

beforeAll(async () => {
  gateway = await startLocal({
    ...{ dataDir: join(folder, 'data'), quiet: true, synth: 'reuse', schedules: false, rules: false, warmUp: false },
    ...{ seed: false, iamCallers: true },
  });
  server = createServer(async (asked, response) => {
    const request = requestSchema.parse(parseJson(await text(asked), 'a request of CloudFormation'));
    requests.set(`${stackOf(request.StackId)} ${request.LogicalResourceId}`, request);
    await using asker = await askDeclared((event) => gateway.tick('declared', event), identityOf(request.StackId));
    response.end(JSON.stringify(await asker.send(request)));
  });
  const port = await listen(server, 0, 'requests of CloudFormation', 'start again');
  moto = await startMoto(REGION, { account: LOCAL_ACCOUNT_ID, address: `http://${LOOPBACK}:${port}/` });
  await moto.ask('s3', 'create_bucket', {
    Bucket: `cdk-hnb659fds-assets-${LOCAL_ACCOUNT_ID}-${REGION}`,
    CreateBucketConfiguration: { LocationConstraint: REGION },
  });
});
afterAll(async () => {
  await moto?.[Symbol.asyncDispose]();
  if (server !== undefined) await closeServer(server);
  await gateway?.close();
  rmSync(folder, { recursive: true, force: true });
});

function stackOf(stackId: string): string {
  return stackId.split('/')[1] ?? '';
}
/** The function gets the same id of a stack in every run. */
function identityOf(stackId: string) {
  return { stackName: stackOf(stackId), region: REGION };
}

/** Runs a command of AWS's command line that must end well. */
async function aws(...args: string[]): Promise<Json> {
  const { code, out, err } = await capture(await pythonTool('aws'), args, {
    env: moto.environment,
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  if (code !== 0) throw new Error(`${args.join(' ')}: ${err}\nmoto:\n${moto.log().slice(-3000)}`);
  return out.trim() === '' ? null : parseJson(out, args.join(' '));
}

async function deploy(command: 'create-stack' | 'update-stack', stack: string, template: JsonObject): Promise<void> {
  const path = join(folder, `${stack}.json`);
  writeFileSync(path, JSON.stringify(template));
  const capabilities = ['--capabilities', 'CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'];
  await aws('cloudformation', command, '--stack-name', stack, '--template-body', `file://${path}`, ...capabilities);
  const described = await moto.ask('cloudformation', 'describe_stacks', { StackName: stack });
  const StackStatus = command === 'create-stack' ? 'CREATE_COMPLETE' : 'UPDATE_COMPLETE';
  expect(described).toMatchObject({ Stacks: [{ StackStatus }] });
  templates.set(stack, template);
}

/** The template of an assembly without what asks for a bootstrapped account, which `deploy.test.ts` is about. */
function templateOf(assemblyFolder: string, stack: string): JsonObject {
  const path = join(assemblyFolder, `${stack}.template.json`);
  const { Rules: _, Parameters = {}, ...rest } = asObject(parseJson(readFileSync(path, 'utf8'), path), path);
  const { BootstrapVersion: __, ...parameters } = asObject(Parameters, 'Parameters');
  return { ...rest, Parameters: parameters };
}

async function uploadAssets(assemblyFolder: string, stack: string): Promise<void> {
  const path = join(assemblyFolder, `${stack}.assets.json`);
  const { files = {} } = asObject(parseJson(readFileSync(path, 'utf8'), path), path);
  const keys = Object.values(asObject(files, 'files')).flatMap((file) =>
    Object.values(asObject(asObject(file, 'file').destinations ?? {}, 'destinations')).map((one) =>
      String(asObject(one, 'destination').objectKey),
    ),
  );
  const Bucket = `cdk-hnb659fds-assets-${LOCAL_ACCOUNT_ID}-${REGION}`;
  // No function runs there, so any content will do.
  await moto.askAll(keys.map((Key) => ['s3', 'put_object', { Bucket, Key, Body: 'code' }]));
}

/** The template of a deployed stack with other properties of its resources of a type. */
function withProperties(stack: string, type: string, properties: JsonObject): JsonObject {
  const template = templates.get(stack) ?? {};
  const resources = Object.entries(asObject(template.Resources ?? {}, 'Resources')).map(([id, one]) => {
    const resource = asObject(one, id);
    const Properties = { ...asObject(resource.Properties ?? {}, id), ...properties };
    return [id, resource.Type === type ? { ...resource, Properties } : resource];
  });
  return { ...template, Resources: Object.fromEntries(resources) };
}

/** Compares each declared resource of a stack with the gateway, as `gateway drift` does. */
async function drift(stack: string) {
  const { gatewayUrl: baseUrl, secretKey } = gateway;
  const nothing = () => undefined;
  const declaring = {
    api: readingApi(readSettings({ baseUrl, secretKey })),
    secrets: { read: async () => undefined, write: async () => undefined },
    logger: { info: nothing, warn: nothing, error: nothing },
  };
  const { StackResources } = resourcesSchema.parse(
    await moto.ask('cloudformation', 'describe_stack_resources', { StackName: stack }),
  );
  const declared = StackResources.filter(({ ResourceType }) => ResourceType.startsWith('Custom::Gateway'));
  const stackId = localStackId({ stackName: stack, region: REGION });
  return Promise.all(
    declared.map(async ({ LogicalResourceId: logicalId, PhysicalResourceId: physicalId, ResourceType: type }) => {
      const properties = requests.get(`${stack} ${logicalId}`)?.ResourceProperties ?? {};
      const of = { ...declaring, stack: { stackId, resource: logicalId } };
      const { state, differences } = await driftOf(of, { logicalId, type, physicalId, properties, unresolved: [] });
      return { type, state, differences };
    }),
  );
}

const SAME = { state: 'same', differences: [] };

async function listed(path: string): Promise<readonly JsonObject[]> {
  const headers = { Authorization: `Bearer ${gateway.secretKey}` };
  const answer = await (await fetch(`${gateway.gatewayUrl}${path}`, { headers })).text();
  return asArray(asObject(parseJson(answer, path), path).data ?? null, path).map((one) => asObject(one, path));
}

it.each(EXAMPLES)('examples/%s is deployed as the stack %s, with its integration %s and its caller', async (...one) => {
  const [name, stack, uniqueKey, allow] = one;
  const outdir = join(folder, name);
  await synthesizeApp({ ...{ folder: join('examples', name), outdir, mode: 'reuse' }, step: (_name, work) => work() });
  await uploadAssets(outdir, stack);
  await deploy('create-stack', stack, templateOf(outdir, stack));

  const { StackResources } = resourcesSchema.parse(
    await moto.ask('cloudformation', 'describe_stack_resources', { StackName: stack }),
  );
  const ids = StackResources.map(({ LogicalResourceId }) => LogicalResourceId);
  expect(ids.toSorted()).toEqual(
    Object.keys(resourcesOfTemplate(templates.get(stack) ?? {}))
      .filter((id) => id !== 'CDKMetadata')
      .toSorted(),
  );
  expect(await drift(stack)).toMatchObject([SAME, SAME]);
  const integrations = await listed('/integrations');
  expect(integrations.filter(({ managed_by }) => Object(managed_by).stack === stack)).toMatchObject([
    { unique_key: uniqueKey },
  ]);
  const callers = await listed('/account/keys');
  expect(callers.filter(({ managed_by }) => Object(managed_by).stack === stack)).toMatchObject([
    { right: 'proxy', limits: { allow, integrations: [uniqueKey] } },
  ]);
});

it.each([
  [
    'Integration',
    {
      ...{ DisplayName: 'Files of the index', PublicName: 'Your files', Scopes: ['drive.readonly', 'drive.file'] },
      ...{ PublishingStatus: 'production', Audience: 'internal', HostedDomain: 'example.com' },
      IncludeGrantedScopes: true,
    },
  ],
  [
    'Caller',
    {
      ...{ Allow: ['drive:read'], Deny: ['drive.files.get'], Approve: ['delete'] },
      ...{ Minute: { Calls: 60 }, Day: { Units: 1000, Bytes: 1_000_000 } },
    },
  ],
])('an update of the stack changes the %s in place: %j', async (kind, properties) => {
  const type = `Custom::Gateway${kind}`;
  const before = await physicalIds('Indexer');
  const { ResourceProperties: was } = requestFor(type);
  await deploy('update-stack', 'Indexer', withProperties('Indexer', type, properties));
  expect(await physicalIds('Indexer')).toEqual(before);
  const { ResourceProperties: is } = requestFor(type);
  const names = Object.keys(properties);
  expect(Object.fromEntries(names.map((name) => [name, is[name]]))).toEqual(
    JSON.parse(JSON.stringify(properties), texts),
  );
  expect(names.filter((name) => isDeepStrictEqual(is[name], was[name]))).toEqual([]);
  expect(await drift('Indexer')).toMatchObject([SAME, SAME]);
});

/** What CloudFormation asked last for the one resource of a type that the indexer declares. */
function requestFor(type: string) {
  const [found, ...others] = [...requests]
    .filter(([key, { ResourceType }]) => key.startsWith('Indexer ') && ResourceType === type)
    .map(([, request]) => request);
  if (found === undefined || others.length > 0)
    throw new Error(
      `CloudFormation asked for ${others.length + (found === undefined ? 0 : 1)} resources of type ${type}.`,
    );
  return found;
}

/** CloudFormation sends texts. */
function texts(_name: string, value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

async function physicalIds(stack: string): Promise<readonly string[]> {
  const { StackResources } = resourcesSchema.parse(
    await moto.ask('cloudformation', 'describe_stack_resources', { StackName: stack }),
  );
  return StackResources.map(
    ({ LogicalResourceId, PhysicalResourceId }) => `${LogicalResourceId} ${PhysicalResourceId}`,
  );
}

it('another name and provider replace the integration, and the former one is deleted', async () => {
  const next = { UniqueKey: 'calendar-index', Provider: 'google-calendar', Scopes: ['calendar.readonly'] };
  const template = withProperties('Assistant', 'Custom::GatewayIntegration', next);
  await deploy('update-stack', 'Assistant', template);
  const keys = (await listed('/integrations')).map(({ unique_key }) => unique_key);
  expect(keys).toContain('calendar-index');
  expect(keys).not.toContain('assistant');
});

it('a second stack declares at the gateway of the booking API by its attributes', async () => {
  const [booking] = stacksSchema.parse(
    await moto.ask('cloudformation', 'describe_stacks', { StackName: 'Booking' }),
  ).Stacks;
  const output = (name: string) => booking?.Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue ?? '';
  const outdir = join(folder, 'other');
  mkdirSync(outdir);
  const app = new App({ outdir });
  const stack = new Stack(app, 'Other', { env: { region: REGION, account: LOCAL_ACCOUNT_ID } });
  const other = IntegrationGateway.fromAttributes(stack, 'Gateway', {
    baseUrl: output('BaseUrl'),
    declaredFunctionArn: output('DeclaredFunctionArn'),
    declaredRoleArn: output('DeclaredRoleArn'),
    apiId: output('ApiId'),
  });
  const drive = other.addIntegration('other-drive', { provider: Provider.GOOGLE_DRIVE, scopes: ['drive.file'] });
  const sync = new LambdaFunction(stack, 'Sync', {
    ...{ runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code: Code.fromInline('exports.handler = () => {};') },
  });
  drive.grantCall(sync, { allow: ['drive:read'] });
  app.synth();
  await deploy('create-stack', 'Other', templateOf(outdir, 'Other'));
  expect(await drift('Other')).toMatchObject([SAME, SAME]);
  expect(await drift('Booking')).toMatchObject([SAME, SAME]);
});

it('the sentence of a declared resource that fails is the reason of the stack’s failure', async () => {
  const taken = withProperties('Other', 'Custom::GatewayIntegration', { UniqueKey: 'booking' });
  await expect(deploy('update-stack', 'Other', taken)).rejects.toThrow(/GatewayOtherdrive\w*: UniqueKey: /i);
});

it('removed stacks leave nothing that they declared', async () => {
  for (const stack of ['Other', ...EXAMPLES.map(([, name]) => name)]) {
    await aws('cloudformation', 'delete-stack', '--stack-name', stack);
  }
  expect(await listed('/integrations')).toEqual([]);
  const callers = await listed('/account/keys');
  expect(callers.filter(({ managed_by, revoked_at }) => managed_by !== null && revoked_at === null)).toEqual([]);
});
