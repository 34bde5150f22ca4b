import type { DoorAlias } from '../core/contract.ts';
import { DOOR_LINES_TYPE, type DoorAnswer, type DoorLine, type InnerDoor } from '../core/door.ts';
import { GatewayError } from '../core/errors.ts';
import { type HeaderPairs, headerValue } from '../core/http-message.ts';
import { DOOR_ANSWER_MAX_BYTES, DOOR_EVENT_MAX_BYTES, DOOR_RETRY_AFTER_SEC } from '../core/limits.ts';
import {
  InvocationNotSent,
  InvocationRefused,
  type InvokeStreamed,
  openStreamedInvoker,
} from './lean/invoke-streamed.ts';

/** Between the head and the body of a streamed answer (AWS Lambda guide, "Response streaming for Lambda functions"). */
const SEPARATOR = Buffer.alloc(8);
const LINE_END = 10;

/**
 * The inner door of the proxy for one function, by the alias of its name. The asking function sends the credential of its own caller along
 * and vouches for nobody (TB-3).
 *
 * @param functionName of the proxy
 */
export function innerDoor(
  functionName: string,
  alias: DoorAlias,
  invoke: InvokeStreamed = openStreamedInvoker(),
): InnerDoor {
  return async ({ operation, input, requestId, withinMs, onPart }) => {
    const payload = Buffer.from(JSON.stringify({ operation, input, requestContext: { requestId } }));
    if (payload.length > DOOR_EVENT_MAX_BYTES) {
      const message = `The request has ${payload.length} bytes between the gateway's functions, which may be at most ${DOOR_EVENT_MAX_BYTES}.`;
      throw new GatewayError('request_too_large', message, { applied: 'no' });
    }
    try {
      return await read(invoke({ functionName, qualifier: alias, payload, withinMs }), onPart);
    } catch (error) {
      throw failureOf(error);
    }
  };
}

/**
 * Reads until the answer is whole by its own length. What the proxy does after its answer, such as its log, is not waited for: when Lambda
 * ends an answer whose function still works is not documented (TB-7).
 */
async function read(
  chunks: AsyncIterable<Uint8Array>,
  onPart: (part: unknown) => void = () => {},
): Promise<DoorAnswer> {
  let bytes: Buffer = Buffer.alloc(0);
  let head: { readonly status: number; readonly headers: HeaderPairs; readonly end: number } | undefined;
  let readTo = 0;
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length > DOOR_ANSWER_MAX_BYTES)
      throw new Error(`The answer has more than ${DOOR_ANSWER_MAX_BYTES} bytes`);
    head ??= headOf(bytes);
    if (head !== undefined && headerValue(head.headers, 'content-type') === DOOR_LINES_TYPE) {
      readTo = Math.max(readTo, head.end);
      for (let end = bytes.indexOf(LINE_END, readTo); end >= 0; end = bytes.indexOf(LINE_END, readTo)) {
        const line: DoorLine = JSON.parse(bytes.toString('utf8', readTo, end));
        readTo = end + 1;
        if ('end' in line) return { ...line.end, body: Buffer.from(line.end.body) };
        onPart(line.part);
      }
      continue;
    }
    const length = head && headerValue(head.headers, 'content-length');
    if (head !== undefined && length !== undefined && bytes.length >= head.end + Number(length)) break;
  }
  if (head === undefined) throw new Error('The answer has no head');
  if (readTo > 0) throw new Error('The answer broke off between its parts');
  return { status: head.status, headers: head.headers, body: bytes.subarray(head.end) };
}

function headOf(bytes: Buffer) {
  const at = bytes.indexOf(SEPARATOR);
  if (at < 0) return undefined;
  const head: { statusCode: number; multiValueHeaders?: Record<string, string[]> } = JSON.parse(
    bytes.toString('utf8', 0, at),
  );
  const headers = Object.entries(head.multiValueHeaders ?? {}).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  return { status: head.statusCode, headers, end: at + SEPARATOR.length };
}

/** What a caller learns where there is no answer: that the proxy did not act is known only where no invocation began. */
function failureOf(error: unknown): unknown {
  if (error instanceof InvocationRefused && error.status === 429) {
    const retryAfterSec = error.retryAfterSec ?? DOOR_RETRY_AFTER_SEC;
    const message = 'The gateway is busy: no process is free for this call. Nothing was sent. Try again.';
    return new GatewayError('service_unavailable', message, { retryAfterSec, applied: 'no', cause: error });
  }
  if (error instanceof InvocationNotSent) {
    const message = 'The gateway could not pass this call on. Nothing was sent. Try again.';
    return new GatewayError('service_unavailable', message, {
      ...{ retryAfterSec: DOOR_RETRY_AFTER_SEC, applied: 'no', cause: error },
    });
  }
  if (error instanceof InvocationRefused && error.status < 500) return error;
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = 'The gateway did not end this call in time. It may have been carried out.';
    return new GatewayError('upstream_timeout', message, { applied: 'unknown', cause: error });
  }
  const message = 'The gateway lost the answer of this call. It may have been carried out.';
  return new GatewayError('service_unavailable', message, {
    ...{ retryAfterSec: DOOR_RETRY_AFTER_SEC, applied: 'unknown', cause: error },
  });
}
