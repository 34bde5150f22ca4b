/** What of an app's own resources runs on this computer, alongside the gateway in the same stack. */
import { errorMessage } from '../../tools/json.ts';
import type { LocalFunction } from './functions.ts';
import type { TemplateResource } from './resource.ts';
import { classifyResourceType } from './resource-types.ts';

/** Types that say who may use a function, or when it runs. */
const OF_FUNCTIONS = ['AWS::Lambda::Permission', 'AWS::Lambda::Url', 'AWS::Lambda::EventSourceMapping'];

/**
 * The resources with those that do not run here marked as ignored, and what these are.
 *
 * @param read throws for a resource with anything that the local runtime does not have
 */
export function appResources(
  resources: ReadonlyMap<string, TemplateResource>,
  read: (resource: TemplateResource) => void,
): {
  readonly resources: ReadonlyMap<string, TemplateResource>;
  readonly notRun: readonly string[];
} {
  const all = [...resources.values()];
  const prefix = prefixOf(all);
  const reasons = new Map<TemplateResource, string>();
  /** Whether it only says who may use something that does not run here, or when. */
  const isFollower = (one: TemplateResource) =>
    OF_FUNCTIONS.includes(one.type) &&
    [...reasons.keys()].some(({ logicalId }) => JSON.stringify(one.properties).includes(`"${logicalId}"`));
  for (const one of all) {
    if (classifyResourceType(one.type) === 'refused' || isSignedUrl(one)) reasons.set(one, '');
  }
  for (const one of all) {
    if (reasons.has(one) || isFollower(one) || (prefix !== undefined && one.logicalId.startsWith(prefix))) continue;
    const problem = problemOf(one, read);
    if (problem !== undefined) reasons.set(one, `: ${problem}`);
  }
  const isLeft = (one: TemplateResource) => reasons.has(one) || isFollower(one);
  return {
    resources: new Map(all.map((one) => [one.logicalId, isLeft(one) ? { ...one, class: 'ignored' } : one])),
    notRun: [...reasons].map(([{ logicalId, type }, reason]) => `${logicalId} (${type})${reason}`),
  };
}

function isSignedUrl({ type, properties }: TemplateResource): boolean {
  return type === 'AWS::Lambda::Url' && properties.AuthType !== 'NONE';
}

/** Why a resource cannot run here. */
function problemOf(one: TemplateResource, read: (resource: TemplateResource) => void): string | undefined {
  try {
    read(one);
    return undefined;
  } catch (error) {
    return errorMessage(error).replace(`${one.logicalId} `, 'it ');
  }
}

/** Functions of the app under their logical ids: a name such as `SendEvents` must not be taken for a function of the gateway. */
export function withOwnNames(functions: readonly LocalFunction[]): LocalFunction[] {
  const prefix = prefixOf(functions);
  return functions.map((fn) => (isOfGateway(fn, prefix) ? fn : { ...fn, displayName: fn.logicalId }));
}

/** What the logical ids of all resources in the gateway's construct begin with. */
function prefixOf(resources: readonly { readonly logicalId: string }[]): string | undefined {
  return resources.flatMap(({ logicalId }) => /^(.*)DeclaredFunction[0-9A-F]{8}$/.exec(logicalId)?.[1] ?? [])[0];
}

/** Whether a function belongs to the gateway's construct. @param prefix of logical ids in it */
function isOfGateway({ logicalId, displayName }: LocalFunction, prefix: string | undefined): boolean {
  const rest = prefix !== undefined && logicalId.startsWith(prefix) ? logicalId.slice(prefix.length) : '';
  return rest.toLowerCase().startsWith(displayName.replaceAll('-', '')) && /Function[0-9A-F]{8}$/.test(rest);
}
