import { type HeaderList, type SimRequest, type SimResponse, splitTarget } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { handleApiCall } from './dispatch.ts';

/** A call of Drive or Calendar that the simulator itself makes, under the rules that hold for everybody. */
export interface InsideCall {
  readonly accessToken: string;
  readonly method: string;
  /** Path and query, as a client would send it. */
  readonly target: string;
  /** @default none */
  readonly body?: Buffer | Record<string, unknown> | undefined;
  /** Media type of the body. @default 'application/json' */
  readonly type?: string;
}

/** What such a call was answered. */
export interface InsideAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** The JSON object of the body, empty where there is none. */
  readonly resource: Record<string, unknown>;
  /** What Google's error envelope says, for an answer that is an error. */
  readonly problem: string | undefined;
}

/** Calls one of the simulator's own APIs. */
export async function callInside(
  sim: Simulation,
  { accessToken, method, target, body, type = 'application/json' }: InsideCall,
): Promise<InsideAnswer> {
  const headers: HeaderList = [
    ['Authorization', `Bearer ${accessToken}`],
    ['Content-Type', type],
  ];
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const request: SimRequest = {
    ...{ origin: 'api', method, target, headers, body: bytes, seq: 0, effects: {} },
    ...splitTarget(target),
  };
  return read(await handleApiCall(sim, request));
}

function read({ status, headers, body }: SimResponse): InsideAnswer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.concat([...body.chunks()]);
  const isJson = headers.some(([name, value]) => /^content-type$/i.test(name) && value.startsWith('application/json'));
  const parsed: unknown = isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : {};
  const resource = isRecord(parsed) ? parsed : {};
  const said = isRecord(resource.error) ? resource.error.message : undefined;
  return { status, bytes, resource, problem: status < 300 ? undefined : String(said ?? status) };
}

const BOUNDARY = 'inside-boundary';

/** Body and media type of a multipart upload to Drive. */
export function multipartUpload(
  metadata: Record<string, unknown>,
  bytes: Buffer,
  mimeType: string,
): { readonly body: Buffer; readonly type: string } {
  const head = [
    `--${BOUNDARY}`,
    'Content-Type: application/json',
    '',
    JSON.stringify(metadata),
    `--${BOUNDARY}`,
    `Content-Type: ${mimeType}`,
    '',
    '',
  ].join('\r\n');
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return { body, type: `multipart/related; boundary=${BOUNDARY}` };
}
