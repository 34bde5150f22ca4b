/** The few DynamoDB calls the runner itself makes: JSON 1.0 over HTTP with placeholder credentials. */
import { Agent, request } from 'node:http';
import { asObject, type JsonObject, optionalString, parseJson } from '../json.ts';

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
  | 'UpdateTimeToLive'
  | 'DescribeStream'
  | 'GetShardIterator'
  | 'GetRecords';

const STREAM_OPERATIONS: ReadonlySet<DynamoDbOperation> = new Set(['DescribeStream', 'GetShardIterator', 'GetRecords']);
const TIMEOUT_MS = 10_000;

export interface DynamoDbClient {
  /** @throws DynamoDbError for an error reply, Error when the engine cannot be reached. */
  call(operation: DynamoDbOperation, input: JsonObject): Promise<JsonObject>;
  close(): void;
}

/** A client for one endpoint. The engine checks that a signature is there, not that it is right. */
export function dynamoDbClient(endpoint: string, region: string): DynamoDbClient {
  const agent = new Agent({ keepAlive: true });
  return {
    async call(operation, input) {
      const api = STREAM_OPERATIONS.has(operation) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
      const { status, text } = await post(endpoint, agent, `${api}.${operation}`, JSON.stringify(input), region);
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
  target: string,
  body: string,
  region: string,
): Promise<{ status: number; text: string }> {
  const amzDate = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const scope = `${amzDate.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(body),
    'x-amz-target': target,
    'x-amz-date': amzDate,
    authorization: `AWS4-HMAC-SHA256 Credential=local/${scope}, SignedHeaders=host;x-amz-date, Signature=0`,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(endpoint, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer to ${target} within ${TIMEOUT_MS} ms.`)));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
