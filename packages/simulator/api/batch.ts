import {
  emptyResponse,
  type HeaderList,
  headerValue,
  mediaType,
  type SimRequest,
  type SimResponse,
  splitTarget,
} from '../http/exchange.ts';
import {
  type BodyPart,
  MultipartError,
  parseHeaderLines,
  parseMultipart,
  readBoundary,
  splitHead,
} from '../http/multipart.ts';
import { randomText } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { handleApiCall } from './dispatch.ts';
import { API_HEADERS, ApiError, apiErrorResponse, badRequest } from './envelope.ts';
import type { ApiName } from './method-table.ts';

const BATCH_PATH = /^\/batch\/(?<api>drive|calendar)\/v3\/?$/;

/** Calls per batch. */
const MAX_PARTS: Record<ApiName, number> = { drive: 100, calendar: 50 };

/** The API of a batch path; `undefined` for any other path. */
export function batchApi(path: string): ApiName | undefined {
  const api = BATCH_PATH.exec(path)?.groups?.api;
  return api === 'drive' || api === 'calendar' ? api : undefined;
}

/** Outer headers that describe the batch itself and not its calls. */
const NOT_INHERITED = /^(?:content-.*|transfer-encoding|host|connection|accept-encoding|expect)$/i;

function inheritHeaders(outer: HeaderList, inner: HeaderList): HeaderList {
  const own = new Set(inner.map(([name]) => name.toLowerCase()));
  const inherited = outer.filter(([name]) => !NOT_INHERITED.test(name) && !own.has(name.toLowerCase()));
  return [...inner, ...inherited];
}

/** Reads the HTTP request inside a part; an absolute URL counts by its path (Drive: "Batching requests"). */
function readInner(outer: SimRequest, part: BodyPart): SimRequest {
  const { head, rest } = splitHead(part.body);
  const [requestLine = '', ...lines] = head.trimStart().split(/\r?\n/);
  const groups = /^(?<method>[A-Z]+) (?<target>\S+)(?: HTTP\/1\.[01])?\s*$/.exec(requestLine)?.groups;
  if (groups?.method === undefined || groups.target === undefined) {
    throw badRequest(`"${requestLine.slice(0, 60)}" is not a request line.`);
  }
  const headers = inheritHeaders(outer.headers, parseHeaderLines(lines.join('\n')));
  const target = groups.target.replace(/^https?:\/\/[^/]+/, '');
  const length = Number(headerValue(headers, 'content-length') ?? rest.length);
  const body = rest.subarray(0, Number.isInteger(length) ? length : rest.length);
  return { ...outer, ...splitTarget(target), method: groups.method, target, headers, body };
}

async function runInner(sim: Simulation, api: ApiName, inner: SimRequest): Promise<SimResponse> {
  if (!inner.path.startsWith(`/${api}/v3/`)) {
    return apiErrorResponse({
      code: 404,
      reason: 'notFound',
      message: `Not Found: ${inner.path} is not in this batch's API`,
    });
  }
  if (inner.query.get('alt') === 'media') {
    return apiErrorResponse({
      code: 400,
      reason: 'badRequest',
      message: 'Media download is not supported in a batch.',
    });
  }
  return handleApiCall(sim, inner);
}

/** `Content-ID: <x>` is answered by `<response-x>`, without brackets likewise. */
function responseContentId(contentId: string): string {
  return contentId.startsWith('<') ? `<response-${contentId.slice(1)}` : `response-${contentId}`;
}

const REASON_PHRASES: Record<number, string> = { 200: 'OK', 204: 'No Content', 304: 'Not Modified' };

function writePart(part: BodyPart, response: SimResponse): Buffer {
  const body = Buffer.isBuffer(response.body) ? response.body : Buffer.concat([...response.body.chunks()]);
  const contentId = headerValue(part.headers, 'content-id');
  const lines = [
    'Content-Type: application/http',
    ...(contentId === undefined ? [] : [`Content-ID: ${responseContentId(contentId)}`]),
    '',
    `HTTP/1.1 ${response.status} ${REASON_PHRASES[response.status] ?? 'Error'}`,
    ...response.headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), body, Buffer.from('\r\n')]);
}

function readParts(http: SimRequest, api: ApiName): BodyPart[] {
  const boundary = readBoundary(http.headers);
  if (mediaType(http.headers) !== 'multipart/mixed' || boundary === undefined) {
    throw badRequest('A batch needs Content-Type multipart/mixed with a boundary.');
  }
  const parts = parseMultipart(http.body, boundary);
  if (parts.length === 0) throw badRequest('The batch is empty.');
  if (parts.length > MAX_PARTS[api]) {
    throw badRequest(`The batch has ${parts.length} calls; at most ${MAX_PARTS[api]} are allowed.`);
  }
  const stranger = parts.find((part) => mediaType(part.headers) !== 'application/http');
  if (stranger !== undefined) throw badRequest('Every part of a batch must be application/http.');
  return parts;
}

async function runBatch(sim: Simulation, http: SimRequest, api: ApiName): Promise<SimResponse> {
  const parts = readParts(http, api);
  const calls = parts.map((part) => readInner(http, part));
  sim.recorder.noteParts(
    http.seq,
    calls.map(({ method, target, headers }) => ({ method, target, headers })),
  );
  const boundary = `batch_${randomText(18)}`;
  const pieces: Buffer[] = [];
  for (const [index, call] of calls.entries()) {
    const part = parts[index];
    if (part === undefined) continue;
    pieces.push(Buffer.from(`--${boundary}\r\n`), writePart(part, await runInner(sim, api, call)));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  const headers: HeaderList = [['Content-Type', `multipart/mixed; boundary=${boundary}`], ...API_HEADERS];
  return { status: 200, headers, body: Buffer.concat(pieces) };
}

/** `POST /batch/{api}/v3`: runs the calls in order; the batch itself is 200 whatever they answer. */
export async function handleBatch(sim: Simulation, http: SimRequest, api: ApiName): Promise<SimResponse> {
  if (http.method !== 'POST') return emptyResponse(404);
  try {
    return await runBatch(sim, http, api);
  } catch (error) {
    if (error instanceof MultipartError) {
      return apiErrorResponse({
        code: 400,
        reason: 'badRequest',
        message: `Failed to parse batch request. ${error.message}`,
      });
    }
    if (error instanceof ApiError) return apiErrorResponse(error.failure, error.headers);
    throw error;
  }
}
