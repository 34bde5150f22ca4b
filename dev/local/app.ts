/** Deploys what an app declares at the gateway on this computer, as CloudFormation would. */
import { FUNCTION_NAMES } from '../../lambdas/gateway/core/contract.ts';
import { asArray, asObject, asString, type Json, type JsonObject } from '../tools/json.ts';
import { askDeclared } from './ask-declared.ts';
import { readStateFile, writeStateFile } from './aws/state-file.ts';
import { type DeployedResource, deployDeclared, type WantedResource } from './declared-resources.ts';
import type { LocalApp } from './local-gateway.ts';
import type { SeedTarget } from './seed.ts';
import type { LocalStack } from './template/read-stack.ts';

export interface DeployAppInput {
  readonly stack: LocalStack;
  /** File that keeps what an earlier start deployed. */
  readonly statePath: string;
  /** Runs the function of declarations. */
  readonly invoke: (event: Json) => Promise<unknown>;
}

/** Makes the gateway's resources those of the app's template; a later start changes only what differs. */
export async function deployApp({ stack, statePath, invoke }: DeployAppInput): Promise<LocalApp> {
  await using asker = await askDeclared(invoke, stack);
  const former = deployedIn(await readStateFile(statePath));
  const changes = stack.declared.map(asHere);
  const wanted = changes.map(({ resource }) => resource);
  const { resources, failure } = await deployDeclared((request) => asker.send(request), former, wanted);
  writeStateFile(
    statePath,
    resources.map((one) => ({ ...one })),
  );
  const own = stack.functions.filter(({ displayName }) => !FUNCTION_NAMES.some((name) => name === displayName));
  return {
    functions: own.map(({ name }) => name),
    notRun: stack.notRun,
    failure,
    replaced: changes.flatMap(({ replaced }) => replaced),
  };
}

/** Integrations of an app, to each of which the first user is connected. */
export function seedTargets({ declared }: LocalStack): readonly SeedTarget[] {
  return declared
    .filter(({ type }) => type === 'Custom::GatewayIntegration')
    .map(({ properties: { Provider, UniqueKey } }) => ({
      provider: asString(Provider ?? null, 'Provider'),
      uniqueKey: asString(UniqueKey ?? null, 'UniqueKey'),
    }));
}

/** A resource with the values that it has on this computer, and which of them differ. */
function asHere(resource: WantedResource): { readonly resource: WantedResource; readonly replaced: readonly string[] } {
  const { ClientId, ClientSecretArn: _, ...rest } = resource.properties;
  if (resource.type === 'Custom::GatewayIntegration' && ClientId !== undefined) {
    const properties = { ...rest, Mode: 'test' };
    const replaced = [`${resource.logicalId}: the simulator's test credentials instead of ClientId; Mode is test`];
    return { resource: { ...resource, properties }, replaced };
  }
  if (resource.type === 'Custom::GatewayWebhook' && resource.properties.Verify !== 'false') {
    const properties = { ...resource.properties, Verify: 'false' };
    return { resource: { ...resource, properties }, replaced: [`${resource.logicalId}: the endpoint is not verified`] };
  }
  return { resource, replaced: [] };
}

function deployedIn(state: Json | undefined): readonly DeployedResource[] {
  return asArray(state ?? [], 'declared.json').map((one) => {
    const found = asObject(one, 'declared.json');
    const text = (name: string) => asString(found[name] ?? null, `declared.json: ${name}`);
    const members = (name: string): JsonObject => asObject(found[name] ?? {}, `declared.json: ${name}`);
    return {
      ...{ logicalId: text('logicalId'), type: text('type'), physicalId: text('physicalId') },
      ...{ properties: members('properties'), attributes: members('attributes') },
    };
  });
}
