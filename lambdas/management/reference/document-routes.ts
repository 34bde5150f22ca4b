import { brotliDecompressSync } from 'node:zlib';
import { type GatewayRequest, type GatewayResponse, headerValues } from '../../gateway/core/http-message.ts';
import { sha256Base64url } from '../../gateway/core/identifiers.ts';
import { anyObject } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { openRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';
import { REFERENCE_POLICY, REFERENCE_SCRIPT_PATH, referencePage } from './page.ts';

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

/** Stands in the built document for the gateway's address, which only the deployment knows. */
export const ADDRESS_PLACE = 'https://gateway.invalid';

/** The document of a deployment whose proxied calls have an address of their own; the base URL takes them, too. */
function withServerOfProxy(text: string, proxyUrl: string): string {
  const document: { servers: unknown[]; paths: Record<string, object> } = JSON.parse(text);
  const own = { url: proxyUrl, description: 'Address of proxied calls' };
  const path = '/proxy/{path}';
  document.paths[path] = { servers: [own, ...document.servers], ...document.paths[path] };
  return JSON.stringify(document);
}

/**
 * The API's own description. It is made by the build and read with the first request for it, and what was read is kept: anyone
 * may ask as often as they like, so an answer must cost nothing (DS-9).
 */
export function documentRoutes(): readonly Route[] {
  const openApi = keptByAddress(async ({ baseUrl, proxyUrl, builtFile }) => {
    const built = (await builtFile('openapi.json')).toString('utf8');
    const addressed = built.replaceAll(JSON.stringify(ADDRESS_PLACE), JSON.stringify(baseUrl));
    const text = proxyUrl === undefined ? addressed : withServerOfProxy(addressed, proxyUrl);
    return fixedDocument('application/json; charset=utf-8', text, undefined);
  });
  const reference = keptByAddress(async () =>
    fixedDocument('text/html; charset=utf-8', referencePage('Integration gateway'), REFERENCE_POLICY),
  );
  const script = keptByAddress(async ({ builtFile }) => {
    const packed = await builtFile('reference.js.br');
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
        summary: 'Get this API as an OpenAPI 3.1 document',
        answer: anyObject(),
        errors: [],
        example: { answer: { openapi: '3.1.0', info: {}, paths: {} } },
      })),
      handle: async (services, request) => answerOnce(request, await openApi(services)),
    }),
    openRoute({
      method: 'GET',
      pattern: '/docs',
      describe: documented(() => ({
        id: 'referencePage',
        tag: 'Service',
        summary: 'Read this API as a page',
        answer: 'html',
        errors: [],
        example: {},
      })),
      handle: async (services, request) => answerOnce(request, await reference(services)),
    }),
    openRoute({
      method: 'GET',
      pattern: REFERENCE_SCRIPT_PATH,
      describe: documented(() => ({
        id: 'referenceScript',
        tag: 'Service',
        summary: 'Get the script of that page',
        answer: 'javascript',
        errors: [],
        example: {},
      })),
      handle: async (services, request) => answerOnce(request, await script(services)),
    }),
  ];
}

/** Builds once; a process has one address, and a failure is not kept. */
function keptByAddress(build: (services: Services) => Promise<FixedDocument>) {
  let kept: { readonly baseUrl: string; readonly document: FixedDocument } | undefined;
  return async (services: Services): Promise<FixedDocument> => {
    const { baseUrl } = services;
    if (kept?.baseUrl !== baseUrl) kept = { baseUrl, document: await build(services) };
    return kept.document;
  };
}

function fixedDocument(contentType: string, text: string, contentSecurityPolicy: string | undefined): FixedDocument {
  return { contentType, contentSecurityPolicy, etag: `"${sha256Base64url(text)}"`, body: Buffer.from(text) };
}

/** The document, or 304 for anyone who has it already (RFC 9110 section 13.1.2). */
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
      ['cross-origin-opener-policy', 'same-origin'],
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
