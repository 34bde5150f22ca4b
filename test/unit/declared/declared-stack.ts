import { declare } from '../../../lambdas/declared/declare.ts';
import { answerTo, type Outcome, stackEvent } from '../../../lambdas/declared/event.ts';
import type { Api } from '../../../lambdas/declared/ports.ts';
import { requestOfStack } from '../../../lambdas/management/request-of-stack.ts';
import { managementGateway, serve } from '../management/support/gateway.ts';

export const STACK_ID =
  'arn:aws:cloudformation:eu-central-1:111122223333:stack/shop/5f1c0d0e-0000-4000-8000-000000000001';
export const OTHER_STACK_ID = STACK_ID.replace('stack/shop', 'stack/other');
export const CLIENT_SECRET_ARN = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:google/drive';
export const KEY_SECRET_ARN = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:etl-AbCdEf';
export const SIGNING_SECRET_ARN = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:crm-AbCdEf';

type Properties = Readonly<Record<string, unknown>>;

/** Where a request of CloudFormation differs from those of this test's stack. */
interface Sent {
  readonly stackId?: string;
  readonly resource?: string;
  readonly physicalId?: string;
  readonly old?: Properties;
}

/** CloudFormation in front of the real management API on a table in memory. */
export function declaredStack(options: Parameters<typeof managementGateway>[0] = {}) {
  const gateway = managementGateway(options);
  const secrets = new Map<string, string>([[CLIENT_SECRET_ARN, 'GOCSPX-first']]);
  const previous = new Map<string, string>();
  /** Secrets whose grant is gone. */
  const denied = new Set<string>();
  const needGrant = (arn: string) => {
    if (denied.has(arn)) throw Object.assign(new Error('no grant'), { name: 'AccessDeniedException' });
  };
  const lines: string[] = [];
  const note = (message: string, ...rest: readonly unknown[]) => lines.push(`${message} ${JSON.stringify(rest)}`);
  const calls: string[] = [];
  const apiFor =
    (stack: { readonly stackId: string; readonly resource: string }): Api =>
    async ({ method, path, query = {}, body }) => {
      calls.push(`${method} ${path}`);
      const multi = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
      const event: unknown = {
        ...{ stack, httpMethod: method, path, multiValueQueryStringParameters: multi },
        body: body === undefined ? null : JSON.stringify(body),
        requestContext: { requestId: 'r-1' },
      };
      const answer = await serve(requestOfStack(event), gateway.services);
      const text = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString('utf8') : '';
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    };
  const send = async (type: 'Create' | 'Update' | 'Delete', kind: string, given: Properties, sent: Sent = {}) => {
    const stack = { stackId: sent.stackId ?? STACK_ID, resource: sent.resource ?? 'Declared1' };
    const event = stackEvent.parse({
      ...{ RequestType: type, ResponseURL: 'https://answers.example/x', RequestId: 'req-1', StackId: stack.stackId },
      ...{ ResourceType: `Custom::Gateway${kind}`, LogicalResourceId: stack.resource },
      ...(sent.physicalId === undefined ? {} : { PhysicalResourceId: sent.physicalId }),
      ...(sent.old === undefined ? {} : { OldResourceProperties: { ServiceToken: 'arn', ...sent.old } }),
      ResourceProperties: { ServiceToken: 'arn', ServiceTimeout: '900', ...given },
    });
    const declaring = {
      ...{ stack, api: apiFor(stack), logger: { info: note, warn: note, error: note } },
      secrets: {
        read: async (arn: string, stage?: string) => {
          needGrant(arn);
          return (stage === 'AWSPREVIOUS' ? previous : secrets).get(arn);
        },
        write: async (arn: string, value: string) => {
          needGrant(arn);
          if (!secrets.has(arn)) throw Object.assign(new Error('no grant'), { name: 'AccessDeniedException' });
          previous.set(arn, secrets.get(arn) ?? '');
          secrets.set(arn, value);
        },
      },
    };
    const outcome = await declare(declaring, event);
    lines.push(answerTo(event, outcome));
    return outcome;
  };
  return { gateway, secrets, denied, lines, calls, send };
}

/** The reason of a failure; a success fails the test. */
export function reasonOf(outcome: Outcome): string {
  if (outcome.status === 'SUCCESS') throw new Error(`It succeeded: ${JSON.stringify(outcome)}`);
  return outcome.reason;
}
