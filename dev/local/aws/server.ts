/** One HTTP endpoint for every AWS service but DynamoDB: JSON 1.1 by `X-Amz-Target`, and a loud refusal of the rest. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage, type JsonObject } from '../../tools/json.ts';
import type { Judge, RequiredAccess } from '../iam/judge.ts';
import { AwsError } from './aws-error.ts';
import type { CallCounter } from './call-counts.ts';
import type { CredentialBook } from './credentials.ts';
import { EventStream } from './event-stream.ts';
import { readSignedCall, sendJson } from './signed-call.ts';

/** One service: answers an operation or throws AwsError. `delayMs` holds every answer back. */
export interface AwsService {
  /** The rights that a call needs on existing resources; the call itself refuses missing ones. */
  access(operation: string, input: JsonObject): RequiredAccess[];
  call(operation: string, input: JsonObject): JsonObject | Promise<JsonObject | EventStream>;
  readonly switches?: { delayMs: number };
}

export interface AwsEndpointOptions {
  /** By target prefix: `secretsmanager`, `TrentService`, `AWSEvents`. */
  services: ReadonlyMap<string, AwsService>;
  book: CredentialBook;
  judge: Judge;
  counter: CallCounter;
  /** Called for each call of an operation that is not emulated. */
  onNotEmulated: (description: string) => void;
}

const MAX_BODY_BYTES = 1_048_576;

/** Makes the endpoint; the caller binds and closes it. */
export function awsEndpoint(options: AwsEndpointOptions): Server {
  return createServer((request, response) => {
    void answer(request, options).then(
      (output) =>
        output instanceof EventStream ? sendEvents(response, output) : sendJson(response, '1.1', 200, output),
      (error: unknown) => sendError(response, error, options),
    );
  });
}

async function answer(request: IncomingMessage, options: AwsEndpointOptions): Promise<JsonObject | EventStream> {
  const { caller, service: name, operation, input } = await readSignedCall(request, options.book, MAX_BODY_BYTES);
  const service = options.services.get(name);
  if (service === undefined) throw new AwsError('NotEmulated', `${name}.${operation} is not emulated locally.`, 501);
  options.counter.record(name, operation, caller.name);
  if (service.switches !== undefined && service.switches.delayMs > 0) await delay(service.switches.delayMs);
  options.judge.require(caller, service.access(operation, input));
  return service.call(operation, input);
}

/** Sends messages as they come; a stream that fails is cut. */
async function sendEvents(response: ServerResponse, { messages }: EventStream): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': randomUUID() });
  try {
    for await (const message of messages) if (!response.write(message)) await once(response, 'drain');
    response.end();
  } catch {
    response.destroy();
  }
}

function sendError(response: ServerResponse, error: unknown, options: AwsEndpointOptions): void {
  if (!(error instanceof AwsError)) {
    sendJson(response, '1.1', 400, { __type: 'SerializationException', message: errorMessage(error) });
    return;
  }
  if (error.type === 'NotEmulated') options.onNotEmulated(error.message);
  sendJson(response, '1.1', error.status, { __type: error.type, message: error.message });
}
