import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { isOfGrants } from '../gateway/core/contract.ts';
import type { StackResource } from '../gateway/core/managed-by.rules.ts';
import type { Api, ApiAnswer, ApiCall } from './ports.ts';

/** How the management API is called. */
export interface ManagementApiOptions {
  readonly client: LambdaClient;
  readonly functionNames: Readonly<Record<'management' | 'grants', string>>;
  readonly stack: StackResource;
  readonly requestId: string;
  readonly wait: (ms: number) => Promise<void>;
  /** Milliseconds that the invocation under way still has. */
  readonly remainingMs: () => number;
}

/** Which of the two functions serves a call. */
function functionOf({ method, path }: ApiCall): 'management' | 'grants' {
  return isOfGrants(method, path) ? 'grants' : 'management';
}

/** The name of the function without an alias or version: API Gateway's permission is for another name (decision 0088). */
const QUALIFIER = '$LATEST';

/** A pause of at most this long before a call that may succeed later is repeated, in milliseconds. */
const PAUSE_MAX_MS = 5_000;

/** No repeat begins when less time is left: CloudFormation has to be answered. */
const REPEAT_ENDS_BEFORE_MS = 30_000;

const MAY_SUCCEED_LATER: ReadonlySet<number> = new Set([429, 500, 503]);

const reply = z.looseObject({
  statusCode: z.int(),
  multiValueHeaders: z.record(z.string(), z.array(z.string())).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().optional(),
});

/**
 * The management API as one resource of a stack, by an invocation of one of its functions: no key, and nothing that a front door would log. What
 * may succeed later is repeated while there is time, such as the deletion of many connections.
 */
export function managementApi(options: ManagementApiOptions): Api {
  return async (call) => {
    for (;;) {
      const answer = await invoke(options, call);
      if (!MAY_SUCCEED_LATER.has(answer.status) || options.remainingMs() < REPEAT_ENDS_BEFORE_MS) return answer;
      await options.wait(Math.min((answer.retryAfterSec ?? 1) * 1000, PAUSE_MAX_MS));
    }
  };
}

async function invoke(
  { client, functionNames, stack, requestId }: ManagementApiOptions,
  call: ApiCall,
): Promise<ApiAnswer> {
  const event = {
    stack,
    httpMethod: call.method,
    path: call.path,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(call.query ?? {}).map(([name, value]) => [name, [value]]),
    ),
    multiValueHeaders: call.body === undefined ? {} : { 'content-type': ['application/json'] },
    body: call.body === undefined ? null : JSON.stringify(call.body),
    requestContext: { requestId },
  };
  const { Payload, FunctionError } = await client.send(
    new InvokeCommand({
      FunctionName: functionNames[functionOf(call)],
      Qualifier: QUALIFIER,
      Payload: Buffer.from(JSON.stringify(event)),
    }),
  );
  if (FunctionError !== undefined) throw new Error(`The management function failed: ${FunctionError}`);
  const { statusCode, body, isBase64Encoded, ...heads } = reply.parse(
    JSON.parse(Buffer.from(Payload ?? []).toString('utf8')),
  );
  const text = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8').toString('utf8');
  const retryAfter = Number(heads.multiValueHeaders?.['retry-after']?.[0] ?? heads.headers?.['retry-after'] ?? '');
  return {
    status: statusCode,
    body: text === '' ? undefined : JSON.parse(text),
    retryAfterSec: retryAfter > 0 ? retryAfter : undefined,
  };
}
