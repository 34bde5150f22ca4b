/** What a CloudFormation stack declares at a gateway, from its template, compared over the gateway's API. */
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { type Drift, driftOf, type StackResourceState } from '../../../lambdas/declared/drift.ts';
import type { Declaring } from '../../../lambdas/declared/ports.ts';
import { awsClient } from '../../../lambdas/gateway/platform/aws-client.ts';
import { OPERATOR_LIMITS } from '../aws-limits.ts';
import { CommandProblem } from '../problems.ts';
import { explainAwsError } from '../table/explain-aws-error.ts';
import { readTemplate, type Template } from './read-template.ts';

const TYPE_PREFIX = 'Custom::Gateway';

/** @throws CommandProblem where the stack cannot be read */
export async function stackDrift(
  api: Declaring['api'],
  stackName: string,
  region: string | undefined,
): Promise<readonly Drift[]> {
  const { stackId, resources } = await readStack(stackName, region).catch((error: unknown) => {
    throw explainAwsError(error);
  });
  const found: Drift[] = [];
  for (const resource of resources) {
    const stack = { stackId, resource: resource.logicalId };
    found.push(await driftOf({ ...READS_ONLY, api, stack }, resource));
  }
  return found;
}

/** A comparison reads no secret and logs nothing. */
const READS_ONLY: Pick<Declaring, 'secrets' | 'logger'> = {
  secrets: { read: async () => undefined, write: async () => undefined },
  logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
};

async function readStack(
  StackName: string,
  region: string | undefined,
): Promise<{ readonly stackId: string; readonly resources: readonly StackResourceState[] }> {
  const client = awsClient(CloudFormationClient, OPERATOR_LIMITS, region);
  const [stack] = (await client.send(new DescribeStacksCommand({ StackName }))).Stacks ?? [];
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName, TemplateStage: 'Processed' }));
  const template = templateOf(StackName, TemplateBody);
  const parameters = Object.fromEntries(
    (stack?.Parameters ?? []).map(
      ({ ParameterKey: name = '', ParameterValue: given, ResolvedValue: value = given }) => [
        name,
        isList(template.Parameters?.[name]?.Type) ? value?.split(',') : value,
      ],
    ),
  );
  const resources: StackResourceState[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName })) {
    for (const { ResourceType: type = '', LogicalResourceId: logicalId = '', ...rest } of page.StackResourceSummaries ??
      []) {
      if (!type.startsWith(TYPE_PREFIX)) continue;
      const declared = template.Resources?.[logicalId]?.Properties ?? {};
      const physicalId = rest.PhysicalResourceId ?? '';
      resources.push({ logicalId, type, physicalId, ...resolved(declared, parameters) });
    }
  }
  return { stackId: stack?.StackId ?? '', resources };
}

/** @throws CommandProblem for text that is no template */
function templateOf(stackName: string, body: string): Template {
  try {
    return readTemplate(body);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandProblem(`The template of ${stackName} cannot be read: ${why}`);
  }
}

/** Whether a parameter is a list, whose value is text with commas (User Guide, "Parameters"). */
function isList(type = ''): boolean {
  return type === 'CommaDelimitedList' || type.includes('List<');
}

/** Values of a stack's parameters by name. */
type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Properties with the values of parameters; those that name other resources are left out. */
export function resolved(
  declared: Readonly<Record<string, unknown>>,
  parameters: Parameters,
): Pick<StackResourceState, 'properties' | 'unresolved'> {
  const entries = Object.entries(declared).map(([name, value]) => [name, literalOf(value, parameters)] as const);
  return {
    properties: Object.fromEntries(entries.filter(([, value]) => value !== UNRESOLVED && value !== undefined)),
    unresolved: entries.flatMap(([name, value]) => (value === UNRESOLVED && !NOT_COMPARED.has(name) ? [name] : [])),
  };
}

const UNRESOLVED = Symbol('a value that is not in the template');
/** They say how the resource is served, not what it is. */
const NOT_COMPARED: ReadonlySet<string> = new Set(['ServiceToken', 'ServiceTimeout']);

/** A value that CloudFormation fetches when it deploys, or hides: a dynamic reference, or a parameter with `NoEcho`. */
function isHidden(value: unknown): boolean {
  return typeof value === 'string' && (value.includes('{{resolve:') || value === '****');
}

/** @returns undefined for a property that the template takes away */
function literalOf(value: unknown, parameters: Parameters): unknown {
  if (isHidden(value)) return UNRESOLVED;
  // CloudFormation sends numbers and truth values as text.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const parts = value.map((one) => literalOf(one, parameters));
    return parts.includes(UNRESOLVED) ? UNRESOLVED : parts;
  }
  const entries = Object.entries(value).map(([name, one]) => [name, literalOf(one, parameters)] as const);
  const [[name = '', only] = []] = entries;
  if (name === 'Ref' && only === 'AWS::NoValue') return undefined;
  if (name === 'Ref') return (typeof only === 'string' ? literalOf(parameters[only], {}) : undefined) ?? UNRESOLVED;
  if (name.startsWith('Fn::') || entries.some(([, one]) => one === UNRESOLVED)) return UNRESOLVED;
  return Object.fromEntries(entries);
}
