/** Requirements of both emulators of AWS for every request: this run's credential, a valid signature, a loopback `Host` (IN-8). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asObject, type JsonObject, parseJson } from '../../tools/json.ts';
import { PAYLOAD_MAX_BYTES } from '../lambda/outcome.ts';
import { isLoopbackHost } from '../network.ts';
import { AwsError } from './aws-error.ts';
import type { Caller, CredentialBook } from './credentials.ts';
import { isSignedBy, readAuthorization } from './signature.ts';

/** A call whose caller is known. */
export interface SignedCall {
  caller: Caller;
  /** First part of `X-Amz-Target`, without a version: `DynamoDB`, `secretsmanager`. */
  service: string;
  operation: string;
  body: Buffer;
  input: JsonObject;
}

/**
 * Reads a call whole.
 * @throws AwsError 403 for a caller that is none of this run's or a name that is not this computer's, 413 for too much, `NotEmulated`
 * for another protocol than JSON by target.
 */
export async function readSignedCall(
  request: IncomingMessage,
  book: CredentialBook,
  maxBytes: number,
): Promise<SignedCall> {
  const { headers, method = '', url } = request;
  // A foreign page whose name was pointed to this computer (DNS rebinding) sends that name.
  if (!isLoopbackHost(headers.host)) {
    throw new AwsError(
      'AccessDeniedException',
      'This is a stand-in of AWS on one computer and answers to no other name.',
      403,
    );
  }
  const authorization = readAuthorization(headers.authorization);
  const known = authorization === undefined ? undefined : book.find(authorization.accessKeyId);
  if (authorization === undefined || known === undefined) {
    const message = 'The security token included in the request is invalid: it is none of the gateway that runs here.';
    throw new AwsError('UnrecognizedClientException', message, 403);
  }
  const target = headers['x-amz-target'];
  // Lambda's API is REST: the function is in the path, the way to run it in a header ("Invoke", AWS Lambda API reference).
  const ofLambda = lambdaCall(method, url ?? '');
  const [service = '', operation] = ofLambda !== undefined ? ['lambda', ofLambda.operation] : targetOf(target);
  if (operation === undefined || (ofLambda === undefined && (method !== 'POST' || url !== '/'))) {
    const called = typeof target === 'string' ? target : `${method} ${url} (${headers.host})`;
    throw new AwsError('NotEmulated', `${called} is not emulated locally.`, 501);
  }
  const isAwaited = ofLambda !== undefined && INVOKES.has(ofLambda.operation) && invocationTypeOf(request) !== 'Event';
  const body = await readBody(request, isAwaited ? PAYLOAD_MAX_BYTES : maxBytes);
  if (!isSignedBy(known.credentials, authorization, method, url ?? '/', headers, body)) {
    const message = 'The request signature we calculated does not match the signature you provided.';
    throw new AwsError('InvalidSignatureException', message, 403);
  }
  const parsed = asObject(parseJson(body.length === 0 ? '{}' : body.toString('utf8'), 'The request body'), 'The body');
  const input =
    ofLambda !== undefined && INVOKES.has(ofLambda.operation)
      ? { ...ofLambda.input, InvocationType: invocationTypeOf(request), Payload: parsed }
      : { ...parsed, ...ofLambda?.input };
  return { caller: known.caller, service: service.replace(/_\d+$/, ''), operation, body, input };
}

const INVOKES: ReadonlySet<string> = new Set(['Invoke', 'InvokeWithResponseStream']);

/** Both ways to invoke a function, by the API's version and the last part of the path. */
const INVOCATIONS: Readonly<Record<string, string>> = {
  '2015-03-31/invocations': 'Invoke',
  '2021-11-15/response-streaming-invocations': 'InvokeWithResponseStream',
};

function invocationTypeOf({ headers }: IncomingMessage): string {
  return String(headers['x-amz-invocation-type'] ?? 'RequestResponse');
}

/** Which operation of Lambda's API a request is, by the API reference's URI Request Parameters. */
function lambdaCall(method: string, url: string): { operation: string; input: JsonObject } | undefined {
  const [path = '', query = ''] = url.split('?');
  const [, version, kind, name, rest] = path.split('/');
  const invoke = INVOCATIONS[`${version}/${rest}`];
  if (kind === 'functions' && invoke !== undefined && method === 'POST') {
    const qualifier = new URLSearchParams(query).get('Qualifier');
    const FunctionName = decodeURIComponent(name ?? '');
    return { operation: invoke, input: { FunctionName, ...(qualifier === null ? {} : { Qualifier: qualifier }) } };
  }
  if (version !== '2015-03-31') return undefined;
  if (kind !== 'event-source-mappings') return undefined;
  if (method === 'POST') return { operation: 'CreateEventSourceMapping', input: {} };
  if (method !== 'GET') return undefined;
  if (name) return { operation: 'GetEventSourceMapping', input: { UUID: decodeURIComponent(name) } };
  return { operation: 'ListEventSourceMappings', input: Object.fromEntries(new URLSearchParams(query)) };
}

function targetOf(target: string | string[] | undefined): readonly (string | undefined)[] {
  return typeof target === 'string' ? target.split('.') : [];
}

/** Sends a JSON answer as AWS does. `version`: of its JSON protocol. */
export function sendJson(response: ServerResponse, version: '1.0' | '1.1', status: number, body: JsonObject): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': `application/x-amz-json-${version}`,
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': crypto.randomUUID(),
  });
  response.end(text);
}

/** By events: an asynchronous iteration costs more than all the checks together. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else reject(new AwsError('RequestEntityTooLargeException', 'The request is too large.', 413));
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    request.on('error', reject);
    request.on('aborted', () => reject(new Error('The caller went away.')));
  });
}
