/** What of an app's own resources runs on this computer, alongside the gateway in the same stack. */
import { type LocalFunction, runtimeProblem } from './functions.ts';
import type { TemplateResource } from './resource.ts';
import { classifyResourceType } from './resource-types.ts';

/** Types that say who may use a function, or when it runs. */
const OF_FUNCTIONS = ['AWS::Lambda::Permission', 'AWS::Lambda::Url', 'AWS::Lambda::EventSourceMapping'];

/** Why a function cannot run here. */
function problemOf({ type, properties }: Pick<TemplateResource, 'type' | 'properties'>): string | undefined {
  return type === 'AWS::Lambda::Function' ? runtimeProblem(String(properties.Runtime)) : undefined;
}

/** The resources with those that do not run here marked as ignored, and what these are. */
export function appResources(resources: ReadonlyMap<string, TemplateResource>): {
  readonly resources: ReadonlyMap<string, TemplateResource>;
  readonly notRun: readonly string[];
} {
  const all = [...resources.values()];
  const notRun = all.filter(
    ({ type, properties }) =>
      classifyResourceType(type) === 'refused' ||
      problemOf({ type, properties }) !== undefined ||
      (type === 'AWS::Lambda::Url' && properties.AuthType !== 'NONE'),
  );
  const names = (one: TemplateResource) =>
    OF_FUNCTIONS.includes(one.type) &&
    notRun.some(({ logicalId }) => JSON.stringify(one.properties).includes(`"${logicalId}"`));
  const isLeft = (one: TemplateResource) => notRun.includes(one) || names(one);
  return {
    resources: new Map(all.map((one) => [one.logicalId, isLeft(one) ? { ...one, class: 'ignored' } : one])),
    notRun: notRun.map((one) => [`${one.logicalId} (${one.type})`, problemOf(one) ?? []].flat().join(': ')),
  };
}

/** Functions of the app under their logical ids: a name such as `SendEvents` must not be taken for a function of the gateway. */
export function withOwnNames(functions: readonly LocalFunction[]): LocalFunction[] {
  const [prefix] = functions.flatMap(({ logicalId }) => /^(.*)DeclaredFunction[0-9A-F]{8}$/.exec(logicalId)?.[1] ?? []);
  return functions.map((fn) => (isOfGateway(fn, prefix) ? fn : { ...fn, displayName: fn.logicalId }));
}

/** Whether a function belongs to the gateway's construct. @param prefix of logical ids in it */
function isOfGateway({ logicalId, displayName }: LocalFunction, prefix: string | undefined): boolean {
  const rest = prefix !== undefined && logicalId.startsWith(prefix) ? logicalId.slice(prefix.length) : '';
  return rest.toLowerCase().startsWith(displayName.replaceAll('-', '')) && /Function[0-9A-F]{8}$/.test(rest);
}
