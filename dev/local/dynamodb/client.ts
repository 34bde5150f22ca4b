/** The few DynamoDB calls the runner itself makes: JSON 1.0 over HTTP, signed. */
import { Agent, request } from 'node:http';
import { asObject, type JsonObject, optionalString, parseJson } from '../../tools/json.ts';
import type { AwsCredentials } from '../aws/credentials.ts';
import { signedHeaders } from '../aws/signature.ts';

/** An error reply: `code` is the exception's short name (`ResourceInUseException`). */
export class DynamoDbError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Operations of the table API and of the streams API. */
export type DynamoDbOperation =
  | 'CreateTable'
  | 'DescribeTable'
  | 'Scan'
  | 'UpdateTable'
  | 'UpdateTimeToLive'
  | 'DescribeStream'
  | 'GetShardIterator'
  | 'GetRecords';

const STREAM_OPERATIONS: ReadonlySet<DynamoDbOperation> = new Set(['DescribeStream', 'GetShardIterator', 'GetRecords']);
const TIMEOUT_MS = 60_000;

export interface DynamoDbClient {
  /** @throws DynamoDbError for an error reply, Error when the engine cannot be reached. */
  call(operation: DynamoDbOperation, input: JsonObject): Promise<JsonObject>;
  close(): void;
}

/** A client for one endpoint. */
export function dynamoDbClient(endpoint: string, region: string, credentials: AwsCredentials): DynamoDbClient {
  const agent = new Agent({ keepAlive: true });
  return {
    async call(operation, input) {
      const api = STREAM_OPERATIONS.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
      const body = JSON.stringify(input);
      const call = { host: new URL(endpoint).host, region, service: 'dynamodb', target: `${api}.${operation}`, body };
      const headers = signedHeaders(credentials, call);
      const { status, text } = await post(endpoint, agent, headers, body);
      const reply = asObject(parseJson(text || '{}', `The reply to ${operation}`), `The reply to ${operation}`);
      if (status === 200) return reply;
      const type = optionalString(reply.__type, '__type') ?? `HTTP ${status}`;
      throw new DynamoDbError(type.split('#').at(-1) ?? type, optionalString(reply.message, 'message') ?? text);
    },
    close: () => agent.destroy(),
  };
}

function post(
  endpoint: string,
  agent: Agent,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, 'content-length': Buffer.byteLength(body) };
    const outgoing = request(endpoint, { method: 'POST', agent, headers: sent, timeout: TIMEOUT_MS }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`No answer to ${headers['x-amz-target']} within ${TIMEOUT_MS} ms.`)),
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
