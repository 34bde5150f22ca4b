/** What CloudFormation does with the resources of one stack that its gateway serves: creates, updates, replaces, deletes, rolls back. */
import { isDeepStrictEqual } from 'node:util';
import { asObject, isObject, type Json, type JsonObject } from '../tools/json.ts';
import type { ReferenceScope } from './template/intrinsics.ts';
import { referenceScope, type StackIdentity } from './template/references.ts';
import { resolveResource } from './template/resolved.ts';
import { readResources, type TemplateResource } from './template/resource.ts';

/** A resource as the template declares it, its references resolved. */
export interface WantedResource {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
}

/** A resource that the gateway has. */
export interface DeployedResource extends WantedResource {
  readonly physicalId: string;
  /** What `Fn::GetAtt` returns. */
  readonly attributes: JsonObject;
}

/** A request of CloudFormation's (User Guide, "Custom resource request objects"). */
export interface ResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly LogicalResourceId: string;
  readonly ResourceType: string;
  readonly ResourceProperties: JsonObject;
  readonly PhysicalResourceId?: string;
  readonly OldResourceProperties?: JsonObject;
}

/** The answer to it. */
export interface ResourceAnswer {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly PhysicalResourceId: string;
  readonly Reason?: string;
  readonly Data?: JsonObject;
}

/** The resources after a deployment, and the sentence of the resource that failed. */
export interface Deployment {
  readonly resources: readonly DeployedResource[];
  readonly failure: string | undefined;
}

/** A feed needs its integration, and all others may. */
const ORDER = ['Integration', 'Webhook', 'Caller', 'Key', 'Feed'].map((kind) => `Custom::Gateway${kind}`);

/** The gateway's resources of a template, in an order in which each finds what it needs. */
export function readDeclared(template: Json, stack: StackIdentity): readonly WantedResource[] {
  const resources = readResources(template);
  return wantedResources(resources, referenceScope(resources, stack));
}

/** The same of resources that have been read. */
export function wantedResources(
  resources: ReadonlyMap<string, TemplateResource>,
  scope: ReferenceScope,
): readonly WantedResource[] {
  return [...resources.values()]
    .filter(({ type }) => ORDER.includes(type))
    .toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))
    .map((resource) => {
      const { logicalId, type, properties } = resolveResource(resource, scope);
      return { logicalId, type, properties: asObject(asTexts(properties), logicalId) };
    });
}

/** CloudFormation sends numbers and truth values as text. */
function asTexts(value: Json): Json {
  if (Array.isArray(value)) return value.map(asTexts);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asTexts(one)]));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/**
 * Makes the resources those that are wanted. One that fails brings back all that were changed before it; what was replaced or left out is
 * deleted at the end, and a failure of that is reported but changes nothing.
 *
 * @param send hands a request to the gateway's function and waits for its answer
 */
export async function deployDeclared(
  send: (request: ResourceRequest) => Promise<ResourceAnswer>,
  former: readonly DeployedResource[],
  wanted: readonly WantedResource[],
): Promise<Deployment> {
  const known = new Map(former.map((one) => [one.logicalId, one]));
  const undo: (() => Promise<void>)[] = [];
  const replaced: DeployedResource[] = [];
  for (const one of wanted) {
    const before = known.get(one.logicalId);
    if (before !== undefined && isDeepStrictEqual(before.properties, one.properties)) continue;
    const answer = await send(before === undefined ? creation(one) : update(before, one));
    const attempted = deployed(one, answer);
    // A failed resource is rolled back, too: what it did before it failed is not known.
    undo.unshift(
      before === undefined
        ? () => remove(attempted)
        : async () => {
            const restored = deployed(before, await send(update(attempted, before)));
            known.set(before.logicalId, restored);
            if (restored.physicalId !== attempted.physicalId) await remove(attempted);
          },
    );
    if (answer.Status === 'FAILED') {
      for (const step of undo) await step();
      return {
        resources: former.map(({ logicalId }) => known.get(logicalId)).filter((left) => left !== undefined),
        failure: `${one.logicalId}: ${answer.Reason}`,
      };
    }
    known.set(one.logicalId, attempted);
    if (before !== undefined && before.physicalId !== attempted.physicalId) replaced.push(before);
  }
  const dropped = former.filter(({ logicalId }) => !wanted.some((one) => one.logicalId === logicalId)).toReversed();
  const failures: string[] = [];
  for (const one of [...replaced, ...dropped]) {
    const { Status, Reason } = await send(deletion(one));
    if (Status === 'FAILED') failures.push(`${one.logicalId}: ${Reason}`);
    else if (dropped.includes(one)) known.delete(one.logicalId);
  }
  return { resources: [...known.values()], failure: failures[0] };

  async function remove(one: DeployedResource): Promise<void> {
    await send(deletion(one));
  }
}

function creation({ logicalId, type, properties }: WantedResource): ResourceRequest {
  const names = { LogicalResourceId: logicalId, ResourceType: type };
  return { RequestType: 'Create', ...names, ResourceProperties: properties };
}

function update(from: DeployedResource, to: WantedResource): ResourceRequest {
  const former = { PhysicalResourceId: from.physicalId, OldResourceProperties: from.properties };
  return { ...creation(to), ...former, RequestType: 'Update' };
}

function deletion(one: DeployedResource): ResourceRequest {
  return { ...creation(one), RequestType: 'Delete', PhysicalResourceId: one.physicalId };
}

function deployed(one: WantedResource, { PhysicalResourceId, Data = {} }: ResourceAnswer): DeployedResource {
  const { logicalId, type, properties } = one;
  return { logicalId, type, properties, physicalId: PhysicalResourceId, attributes: Data };
}
