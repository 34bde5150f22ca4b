/** Hands requests to the function of declarations as CloudFormation does: it invokes the function and takes the answer by HTTP. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { type Json, parseJson } from '../tools/json.ts';
import type { ResourceAnswer, ResourceRequest } from './declared-resources.ts';
import { closeServer, LOOPBACK, listen } from './network.ts';
import { LOCAL_ACCOUNT_ID, type StackIdentity } from './template/references.ts';

/** Sends requests of one stack. */
export interface DeclaredAsker extends AsyncDisposable {
  send(request: ResourceRequest): Promise<ResourceAnswer>;
}

const answerSchema = z.object({
  Status: z.enum(['SUCCESS', 'FAILED']),
  PhysicalResourceId: z.string(),
  Reason: z.string().optional(),
  Data: z.record(z.string(), z.string()).optional(),
});

/** The id that a stack has on this computer, the same in every run. */
export function localStackId({ stackName, region }: StackIdentity): string {
  return `arn:aws:cloudformation:${region}:${LOCAL_ACCOUNT_ID}:stack/${stackName}/00000000-0000-4000-8000-000000000000`;
}

/**
 * Opens the server that takes the answers.
 *
 * @param invoke runs the function to its end
 */
export async function askDeclared(
  invoke: (event: Json) => Promise<unknown>,
  stack: StackIdentity,
): Promise<DeclaredAsker> {
  const answers = new Map<string, string>();
  const server = createServer(async (request, response) => {
    answers.set(request.url ?? '', await text(request));
    response.writeHead(200).end();
  });
  const port = await listen(server, 0, 'answers to CloudFormation', 'start again');
  return {
    async send(request) {
      const RequestId = randomUUID();
      const path = `/${RequestId}?X-Amz-Signature=local`;
      const ResponseURL = `http://${LOOPBACK}:${port}${path}`;
      await invoke({ ...request, StackId: localStackId(stack), RequestId, ResponseURL, ServiceToken: 'local' });
      const answer = answers.get(path);
      if (answer === undefined) throw new Error(`${request.LogicalResourceId}: the function sent no answer.`);
      answers.delete(path);
      const { Status, PhysicalResourceId, Reason, Data } = answerSchema.parse(parseJson(answer, 'The answer'));
      const optional = { ...(Reason === undefined ? {} : { Reason }), ...(Data === undefined ? {} : { Data }) };
      return { Status, PhysicalResourceId, ...optional };
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}
