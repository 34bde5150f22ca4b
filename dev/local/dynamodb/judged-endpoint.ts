/** The address of DynamoDB: the engine behind a check of the caller and its rights. */
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import { errorMessage } from '../../tools/json.ts';
import { AwsError } from '../aws/aws-error.ts';
import type { CallCounter } from '../aws/call-counts.ts';
import type { CredentialBook } from '../aws/credentials.ts';
import { readSignedCall, sendJson } from '../aws/signed-call.ts';
import type { Judge } from '../iam/judge.ts';
import type { LocalStack } from '../template/read-stack.ts';
import type { DynamoDbEngine } from './engine.ts';
import { dynamoDbAccess } from './required-access.ts';

export interface JudgedEndpointOptions {
  /** The engine's own address, which does not authenticate, and the access key that selects its database. */
  engine: Pick<DynamoDbEngine, 'endpoint' | 'accessKeyId'>;
  stack: Pick<LocalStack, 'region' | 'tables'>;
  book: CredentialBook;
  judge: Judge;
  counter: CallCounter;
  /** A call is over that may have changed a table. */
  onWritten: () => void;
  onNotEmulated: (description: string) => void;
}

/** DynamoDB's own limit for one request. DynamoDB guide, "Service, account, and table quotas". */
const MAX_BODY_BYTES = 16 * 1_048_576;

/** Operations that change no table. */
const READING: ReadonlySet<string> = new Set([
  'GetItem',
  'BatchGetItem',
  'TransactGetItems',
  'Query',
  'Scan',
  'DescribeTable',
]);

/** Makes the endpoint; the caller binds and closes it. Allowed calls reach the engine, and answers the caller, as they are. */
export function judgedDynamoDb(options: JudgedEndpointOptions): Server {
  const { stack, judge, counter, book } = options;
  const agent = new Agent({ keepAlive: true });
  const engine = new URL(options.engine.endpoint);
  const address = { host: engine.hostname, port: engine.port, path: '/', method: 'POST', agent };
  const server = createServer((request, response) => {
    readSignedCall(request, book, MAX_BODY_BYTES)
      .then(({ caller, service, operation, input, body }) => {
        if (service === 'DynamoDB') {
          counter.record(service, operation, caller.name);
          judge.require(caller, dynamoDbAccess(stack, operation, input));
        } else if (caller.kind !== 'operator') {
          throw new AwsError(
            'NotEmulated',
            `The rights that ${service}.${operation} needs are not known locally.`,
            501,
          );
        }
        const upstream = send({ ...address, headers: headersForEngine(request.headers, options) });
        upstream.on('response', (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('error', () => response.destroy());
          reply.on('end', () => {
            response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
            response.end(asText(chunks), 'latin1');
          });
        });
        upstream.on('error', () => response.destroy());
        // In whatever way: an engine that dies may have written before.
        if (!READING.has(operation)) upstream.on('close', options.onWritten);
        upstream.end(asText([body]), 'latin1');
      })
      .catch((error: unknown) => refuse(response, error, options));
  });
  server.on('close', () => agent.destroy());
  return server;
}

/**
 * The caller's headers with the engine's own access key and the stack's region instead of the caller's. DynamoDB Local keeps a
 * database for each pair of them, so each function would see tables of its own; it does not check signatures.
 */
function headersForEngine(
  { 'x-amz-security-token': _token, ...headers }: IncomingHttpHeaders,
  { engine, stack }: JudgedEndpointOptions,
): OutgoingHttpHeaders {
  const scope = /Credential=[^/]+\/(\d+)\/[^/]+/;
  const { authorization = '' } = headers;
  return {
    ...headers,
    authorization: authorization.replace(scope, `Credential=${engine.accessKeyId}/$1/${stack.region}`),
  };
}

/** Bytes as a text of as many characters: Node then sends head and body in one write, which dominates the cost of a hop. */
function asText(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('latin1');
}

function refuse(response: ServerResponse, error: unknown, { onNotEmulated }: JudgedEndpointOptions): void {
  if (!(error instanceof AwsError)) {
    sendJson(response, '1.0', 400, {
      __type: 'com.amazon.coral.service#SerializationException',
      message: errorMessage(error),
    });
    return;
  }
  if (error.type === 'NotEmulated') onNotEmulated(error.message);
  sendJson(response, '1.0', error.status, { __type: `com.amazon.coral.service#${error.type}`, message: error.message });
}
