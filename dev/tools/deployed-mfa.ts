/** What a stack that is deployed already asks of its operators, so that an upgrade does not change how they sign in. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { OPERATOR_MFA } from '../../lambdas/gateway/core/contract.ts';
import { awsClient } from '../../lambdas/gateway/platform/aws-client.ts';
import { OPERATOR_LIMITS } from '../../packages/cli/aws-limits.ts';

const OPTION = 'gateway:operatorMfa';
const DEFAULT_STACK = 'IntegrationGateway';

/** Values of `-c name=value` and `--context name=value`, the last of each name. */
function contextOf(args: readonly string[]): Map<string, string> {
  const given = args.flatMap((arg, index) => {
    if (arg === '-c' || arg === '--context') return [args[index + 1] ?? ''];
    return arg.startsWith('--context=') ? [arg.slice('--context='.length)] : [];
  });
  return new Map(
    given.map((text) => {
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)] as const;
    }),
  );
}

/** What to add to a deployment, and what to tell about it. */
export interface KeptMfa {
  readonly args: readonly string[];
  readonly note: string | undefined;
}

/**
 * The arguments by which a stack keeps the second factor that its operators have now. A new stack, and one whose option is
 * given, get none.
 *
 * @param args arguments of the deployment, for the CDK
 * @param cdkJson context of cdk.json, which the arguments win over
 * @throws Error when AWS does not tell whether the stack is there
 */
export async function keptMfa(args: readonly string[], cdkJson: Readonly<Record<string, unknown>>): Promise<KeptMfa> {
  const context = contextOf(args);
  const option = (name: string): string | undefined => {
    const value = context.get(name) ?? cdkJson[name];
    return typeof value === 'string' ? value : undefined;
  };
  if (option(OPTION) !== undefined) return { args: [], note: undefined };
  const region = option('gateway:region');
  const client = awsClient(CloudFormationClient, OPERATOR_LIMITS, region);
  const StackName = option('gateway:stackName') ?? DEFAULT_STACK;
  const outputs = await outputsOf(client, StackName);
  // Without an issuer there is no pool to keep.
  if (outputs === undefined || !outputs.has('OperatorIssuer')) return { args: [], note: undefined };
  const now = OPERATOR_MFA.find((one) => one === outputs.get('OperatorMfa')) ?? 'optional';
  const note =
    now === 'optional'
      ? `Operators of ${StackName} keep signing in without a required second factor. With -c ${OPTION}=required each sets one up at the next sign-in.`
      : undefined;
  return { args: ['-c', `${OPTION}=${now}`], note };
}

async function outputsOf(client: CloudFormationClient, StackName: string): Promise<Map<string, string> | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return new Map(Stacks[0]?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.includes('does not exist')) return undefined;
    throw new Error(
      `AWS does not tell whether the stack ${StackName} is there: ${message}\nGive what its operators shall need: -c ${OPTION}=required, or optional.`,
      { cause: error },
    );
  }
}
