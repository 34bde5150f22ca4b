import { brotliDecompressSync } from 'node:zlib';
import { sha256Base64url } from '../../gateway/core/digest.ts';
import { type GatewayRequest, type GatewayResponse, headerValues } from '../../gateway/core/http-message.ts';
import { REFERENCE_POLICY, REFERENCE_SCRIPT_PATH, readReferenceScript, referencePage } from '../reference/page.ts';
import { openRoute, type Route } from '../route.ts';
import { anyObject } from './answer-parts.ts';
import { documented } from './documented.ts';

/** Short enough that a new version is seen soon; what has not changed is asked for by its tag (RFC 9111 section 4.3). */
const CACHE_CONTROL = 'public, max-age=300';

/** A document that is the same for everybody as long as the process lives. */
interface FixedDocument {
  readonly contentType: string;
  /** None where nothing in it could run. */
  readonly contentSecurityPolicy: string | undefined;
  readonly etag: string;
  readonly body: Uint8Array;
  /** How the body is packed; none = as it is. */
  readonly contentEncoding?: 'br';
}

/**
 * The API's own description. What it is made of is loaded with the first request for it, not with every cold start, and what
 * comes of it is kept: anyone may ask as often as they like, so an answer must cost nothing (DS-9).
 *
 * @param routes the whole table, these rows included
 */
export function documentRoutes(routes: () => readonly Route[]): readonly Route[] {
  const openApi = keptByAddress(async (baseUrl) => {
    const { openApiDocument } = await import('./document.ts');
    const text = JSON.stringify(openApiDocument(routes(), baseUrl));
    return fixedDocument('application/json; charset=utf-8', text, undefined);
  });
  const reference = keptByAddress(async () =>
    fixedDocument('text/html; charset=utf-8', referencePage('Integration gateway'), REFERENCE_POLICY),
  );
  const script = keptByAddress(async () => {
    const packed = await readReferenceScript();
    const etag = `"${sha256Base64url(packed)}"`;
    const contentType = 'text/javascript; charset=utf-8';
    return { contentType, contentSecurityPolicy: undefined, etag, body: packed, contentEncoding: 'br' };
  });
  return [
    openRoute({
      method: 'GET',
      pattern: '/openapi.json',
      describe: documented(() => ({
        id: 'openApiDocument',
        tag: 'Service',
        summary: 'This API as an OpenAPI 3.1 document',
        answer: anyObject(),
        errors: [],
        example: { answer: { openapi: '3.1.0', info: {}, paths: {} } },
      })),
      handle: async ({ baseUrl }, request) => answerOnce(request, await openApi(baseUrl)),
    }),
    openRoute({
      method: 'GET',
      pattern: '/docs',
      describe: documented(() => ({
        id: 'referencePage',
        tag: 'Service',
        summary: 'This API as a page to read',
        answer: 'html',
        errors: [],
        example: {},
      })),
      handle: async ({ baseUrl }, request) => answerOnce(request, await reference(baseUrl)),
    }),
    openRoute({
      method: 'GET',
      pattern: REFERENCE_SCRIPT_PATH,
      describe: documented(() => ({
        id: 'referenceScript',
        tag: 'Service',
        summary: 'The script of the page to read',
        answer: 'javascript',
        errors: [],
        example: {},
      })),
      handle: async ({ baseUrl }, request) => answerOnce(request, await script(baseUrl)),
    }),
  ];
}

/** Builds once; a process has one address, and a failure is not kept. */
function keptByAddress(build: (baseUrl: string) => Promise<FixedDocument>) {
  let kept: { readonly baseUrl: string; readonly document: FixedDocument } | undefined;
  return async (baseUrl: string): Promise<FixedDocument> => {
    if (kept?.baseUrl !== baseUrl) kept = { baseUrl, document: await build(baseUrl) };
    return kept.document;
  };
}

function fixedDocument(contentType: string, text: string, contentSecurityPolicy: string | undefined): FixedDocument {
  return { contentType, contentSecurityPolicy, etag: `"${sha256Base64url(text)}"`, body: Buffer.from(text) };
}

/** The document, or 304 for whoever has it already (RFC 9110 section 13.1.2). */
function answerOnce(request: GatewayRequest, document: FixedDocument): GatewayResponse {
  const { contentType, contentSecurityPolicy, etag, body, contentEncoding } = document;
  const hasIt = listed(request, 'if-none-match')
    .map((tag) => tag.replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
  const unpacks = contentEncoding === undefined || takesEncoding(request, contentEncoding);
  return {
    status: hasIt ? 304 : 200,
    headers: [
      ['content-type', contentType],
      ['cache-control', CACHE_CONTROL],
      ['etag', etag],
      ...(contentEncoding === undefined ? [] : [['vary', 'accept-encoding'] as const]),
      ...(contentEncoding === undefined || !unpacks ? [] : [['content-encoding', contentEncoding] as const]),
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ...(contentSecurityPolicy === undefined ? [] : [['content-security-policy', contentSecurityPolicy] as const]),
      ['x-request-id', request.requestId],
    ],
    body: hasIt ? undefined : unpacks ? body : brotliDecompressSync(body),
  };
}

/** Whether a client names an encoding as one it takes (RFC 9110 section 12.5.3); one that names none gets the body unpacked. */
function takesEncoding(request: GatewayRequest, encoding: string): boolean {
  return listed(request, 'accept-encoding')
    .map((one) => one.replaceAll(' ', '').toLowerCase())
    .some(
      (one) => one === encoding || (one.startsWith(`${encoding};q=`) && Number(one.slice(encoding.length + 3)) > 0),
    );
}

/** The members of a header that lists them with commas. */
function listed(request: GatewayRequest, name: string): string[] {
  return headerValues(request.headers, name).flatMap((value) => value.split(',').map((one) => one.trim()));
}
