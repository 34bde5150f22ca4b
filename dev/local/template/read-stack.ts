/** The synthesized CDK assembly -> one model of everything the local runtime has to run. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENVIRONMENT } from '../../../lambdas/gateway/core/contract.ts';
import { asObject, asString, isObject, type Json, parseJson } from '../../tools/json.ts';
import { type WantedResource, wantedResources } from '../declared-resources.ts';
import { isSumAlarm, type LocalAlarm, readAlarm } from './alarms.ts';
import { appResources, withOwnNames } from './app-resources.ts';
import { type LocalBus, type LocalRule, readBus, readRule } from './events.ts';
import { type LocalFunctionUrl, readFunctionUrl } from './function-url.ts';
import { type LocalFunction, readFunction } from './functions.ts';
import { isInline, type LocalIdentityProvider, readIdentityProvider } from './identity-provider.ts';
import type { ReferenceScope } from './intrinsics.ts';
import { type LocalPermissions, readPermissions } from './permissions.ts';
import { type LocalQueue, readQueue } from './queues.ts';
import { type ReferenceOverrides, referenceScope, type StackIdentity } from './references.ts';
import { type ResolvedResource, resolveResource } from './resolved.ts';
import { readResources, type TemplateResource } from './resource.ts';
import { type LocalRestApi, readRestApi } from './rest-api.ts';
import { type LocalSchedule, readSchedule } from './schedules.ts';
import { type LocalKey, type LocalSecret, readKey, readSecret } from './secrets-and-keys.ts';
import { type LocalTable, readTable } from './tables.ts';
import { type LocalTrigger, readTrigger } from './triggers.ts';

/** Everything one stack holds that runs locally. */
export interface LocalStack extends StackIdentity {
  functions: readonly LocalFunction[];
  /** ARNs of the functions' aliases. Every version is the newest one here, so an alias is one more name of its function. */
  aliasArns: readonly string[];
  tables: readonly LocalTable[];
  restApi: LocalRestApi | undefined;
  functionUrls: readonly LocalFunctionUrl[];
  /** Operators sign in and a dashboard is served. */
  hasDashboard: boolean;
  /** Features that the stack leaves out. */
  without: readonly string[];
  /** Where operators sign in, if not at the user pool itself. */
  identityProvider: LocalIdentityProvider | undefined;
  schedules: readonly LocalSchedule[];
  triggers: readonly LocalTrigger[];
  queues: readonly LocalQueue[];
  buses: readonly LocalBus[];
  rules: readonly LocalRule[];
  secrets: readonly LocalSecret[];
  keys: readonly LocalKey[];
  permissions: LocalPermissions;
  /** Those that can be judged locally. */
  alarms: readonly LocalAlarm[];
  /** What the stack declares at the gateway, in the order in which it is made. */
  declared: readonly WantedResource[];
  /** Resources of an app that do not run here. */
  notRun: readonly string[];
}

const DEFAULT_REGION = 'us-east-1';

/** Readers of types that stand for themselves, for resources of an app. */
const READERS: Readonly<Record<string, (resource: ResolvedResource) => unknown>> = {
  'AWS::DynamoDB::GlobalTable': readTable,
  'AWS::Events::EventBus': readBus,
  'AWS::Events::Rule': readRule,
  'AWS::KMS::Key': readKey,
  'AWS::SQS::Queue': readQueue,
  'AWS::Scheduler::Schedule': readSchedule,
  'AWS::SecretsManager::Secret': readSecret,
};

/** The template that was read last: a process of tests starts dozens of gateways on the same one. */
let lastRead: { readonly assemblyFolder: string; readonly text: string; readonly local: LocalStack } | undefined;

/**
 * Reads the assembly in a CDK output folder (`manifest.json`, `*.template.json`, `asset.<hash>`).
 * @param ofApp the stack of an app with the gateway in it, of which some may not run here
 * @throws Error when there is not exactly one stack, an asset is missing, or the template holds anything unknown.
 */
export async function readAssembly(
  assemblyFolder: string,
  overrides?: ReferenceOverrides,
  ofApp = false,
): Promise<LocalStack> {
  const manifest = asObject(await readJson(join(assemblyFolder, 'manifest.json')), 'manifest.json');
  const artifacts = Object.entries(asObject(manifest.artifacts, 'manifest.json artifacts'));
  const stacks = artifacts.filter(([, artifact]) => isObject(artifact) && artifact.type === 'aws:cloudformation:stack');
  const [stack, second] = stacks;
  if (stack === undefined || second !== undefined) {
    throw new Error(
      `${assemblyFolder} holds ${stacks.length} stacks; the local runtime runs exactly one service stack.`,
    );
  }
  const [stackName, artifact] = stack;
  const { environment, properties } = asObject(artifact, stackName);
  const templateFile = asString(asObject(properties, stackName).templateFile, `${stackName}.templateFile`);
  const templatePath = join(assemblyFolder, templateFile);
  const text = await readFile(templatePath, 'utf8');
  const identity = { stackName, region: regionOf(asString(environment, `${stackName}.environment`)) };
  const isLastRead = lastRead?.text === text && lastRead.assemblyFolder === assemblyFolder;
  const reused = isLastRead && overrides === undefined && !ofApp ? lastRead?.local : undefined;
  const local = reused ?? readStack(parseJson(text, templatePath), identity, assemblyFolder, overrides, ofApp);
  if (overrides === undefined && !ofApp) lastRead = { assemblyFolder, text, local };
  const missing = local.functions.filter((one) => !existsSync(one.codeFolder)).map((one) => one.codeFolder);
  if (missing.length > 0)
    throw new Error(`These bundles are missing: ${missing.join(', ')}. Delete ${assemblyFolder} and start again.`);
  return local;
}

/** Reads one template. @throws Error naming resource and path of anything the local runtime does not know. */
export function readStack(
  template: Json,
  identity: StackIdentity,
  assemblyFolder: string,
  overrides?: ReferenceOverrides,
  ofApp = false,
): LocalStack {
  const all = readResources(template, ofApp);
  const { resources, notRun } = ofApp
    ? appResources(all, ownReader(referenceScope(all, identity, overrides), assemblyFolder))
    : { resources: all, notRun: [] };
  const scope = referenceScope(resources, identity, overrides);
  const running = [...resources.values()].filter((resource) => resource.class === 'run');
  const resolved = running.map((resource) => resolveResource(resource, scope));
  const read = <T>(type: string, reader: (resource: ResolvedResource) => T): T[] =>
    resolved.filter((resource) => resource.type === type).map(reader);
  const isFunction = ({ type }: ResolvedResource) => type === 'AWS::Lambda::Function';
  const provider = resolved.find(({ type }) => type === 'AWS::Cognito::UserPoolIdentityProvider');
  const isWriter = (resource: ResolvedResource) => provider !== undefined && isFunction(resource) && isInline(resource);
  const found = resolved
    .filter((resource) => isFunction(resource) && !isWriter(resource))
    .map((resource) => readFunction(resource, assemblyFolder));
  const functions = ofApp ? withOwnNames(found) : found;
  const schedules = read('AWS::Scheduler::Schedule', readSchedule);
  const actors = [...functions, ...schedules];
  const rules = read('AWS::Events::Rule', readRule);
  return {
    ...identity,
    functions,
    aliasArns: [...resources.values()]
      .filter(({ type }) => type === 'AWS::Lambda::Alias')
      .map(({ logicalId }) => scope.ref(logicalId)),
    tables: read('AWS::DynamoDB::GlobalTable', readTable),
    restApi: readRestApi(resolved),
    functionUrls: read('AWS::Lambda::Url', readFunctionUrl),
    hasDashboard: resolved.some(({ type }) => type === 'AWS::Cognito::UserPoolClient'),
    without: featuresLeftOut(functions),
    identityProvider: readIdentityProvider(provider, resolved.find(isWriter)),
    schedules,
    triggers: read('AWS::Lambda::EventSourceMapping', (resource) => readTrigger(resource, functions)),
    queues: read('AWS::SQS::Queue', readQueue),
    buses: withGivenBuses(read('AWS::Events::EventBus', readBus), rules),
    rules,
    secrets: read('AWS::SecretsManager::Secret', readSecret),
    keys: read('AWS::KMS::Key', readKey),
    alarms: [...resources.values()].filter(isSumAlarm).map((resource) => readAlarm(resolveResource(resource, scope))),
    declared: wantedResources(resources, scope),
    notRun,
    permissions: readPermissions(resolved, new Set(actors.map(({ roleArn }) => roleArn))),
  };
}

/** Ids of features as the stack sets them for its functions. */
function featuresLeftOut(functions: readonly LocalFunction[]): readonly string[] {
  const set = functions.flatMap(({ environment }) => environment[ENVIRONMENT.withoutFeatures]?.split(',') ?? []);
  return [...new Set(set)];
}

/** Reads one resource of an app, and throws for anything that the local runtime does not have. */
function ownReader(scope: ReferenceScope, assemblyFolder: string): (resource: TemplateResource) => void {
  return (resource) => {
    if (resource.class !== 'run') return;
    const resolved = resolveResource(resource, scope);
    if (resource.type === 'AWS::Lambda::Function') readFunction(resolved, assemblyFolder);
    else READERS[resource.type]?.(resolved);
  };
}

/** A bus that exists outside the stack is played by one of the same name: the gateway's own rule names it. */
function withGivenBuses(made: readonly LocalBus[], rules: readonly LocalRule[]): LocalBus[] {
  const known = new Set(['default', ...made.map(({ name }) => name)]);
  const given = new Set(rules.map(({ busName }) => busName).filter((name) => !known.has(name)));
  return [...made, ...[...given].map((name) => ({ name }))];
}

function regionOf(environment: string): string {
  const region = environment.split('/').at(-1) ?? '';
  return region === '' || region === 'unknown-region' ? DEFAULT_REGION : region;
}

async function readJson(path: string): Promise<Json> {
  return parseJson(await readFile(path, 'utf8'), path);
}
