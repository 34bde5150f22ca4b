/** One HTTP endpoint for every AWS service but DynamoDB: JSON 1.1 by `X-Amz-Target`, and a loud refusal of the rest. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { asObject, errorMessage, type JsonObject, parseJson } from '../json.ts';
import { AwsError } from './aws-error.ts';
import { type CallCounter, callerOf } from './call-counts.ts';

/** One service: answers an operation or throws AwsError. `delayMs` holds every answer back. */
export interface AwsService {
  call(operation: string, input: JsonObject): JsonObject | Promise<JsonObject>;
  readonly switches?: { delayMs: number };
}

export interface AwsEndpointOptions {
  /** By target prefix: `secretsmanager`, `TrentService`, `AWSEvents`. */
  services: ReadonlyMap<string, AwsService>;
  counter: CallCounter;
  /** Told of each call to something that is not emulated. */
  onNotEmulated: (description: string) => void;
}

const MAX_BODY_BYTES = 1_048_576;

/** Makes the endpoint; the caller binds and closes it. */
export function awsEndpoint(options: AwsEndpointOptions): Server {
  return createServer((request, response) => {
    void answer(request, options).then(
      (output) => send(response, 200, output),
      (error: unknown) => sendError(response, error, options),
    );
  });
}

async function answer(request: IncomingMessage, options: AwsEndpointOptions): Promise<JsonObject> {
  const target = request.headers['x-amz-target'];
  const [prefix = '', operation] = typeof target === 'string' ? target.split('.') : [];
  const service = options.services.get(prefix);
  if (service === undefined || operation === undefined) {
    const called = typeof target === 'string' ? target : `${request.method} ${request.url} (${request.headers.host})`;
    throw new AwsError('NotEmulated', `${called} is not emulated locally.`, 501);
  }
  options.counter.record(prefix, operation, callerOf(request.headers['user-agent']));
  const body = await readBody(request);
  const input = asObject(parseJson(body === '' ? '{}' : body, 'The request body'), 'The request body');
  if (service.switches !== undefined && service.switches.delayMs > 0) await delay(service.switches.delayMs);
  return service.call(operation, input);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new AwsError('RequestEntityTooLargeException', 'The request is too large.', 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function sendError(response: ServerResponse, error: unknown, options: AwsEndpointOptions): void {
  if (!(error instanceof AwsError)) {
    send(response, 400, { __type: 'SerializationException', message: errorMessage(error) });
    return;
  }
  if (error.type === 'NotEmulated') options.onNotEmulated(error.message);
  send(response, error.status, { __type: error.type, message: error.message });
}

function send(response: ServerResponse, status: number, body: JsonObject): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.1',
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': crypto.randomUUID(),
  });
  response.end(text);
}
