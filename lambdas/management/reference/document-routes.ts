import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import { FEATURES } from '../../features/index.ts';
import { type GatewayRequest, type GatewayResponse, headerValues } from '../../gateway/core/http-message.ts';
import { sha256Base64url } from '../../gateway/core/identifiers.ts';
import { anyObject } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { Json } from '../../gateway/openapi/json-schema.ts';
import { openRoute, type Route } from '../route.ts';
import type { Services } from '../services.ts';

/** Address of the page's one script, relative to the page. */
const REFERENCE_SCRIPT_PATH = '/docs/reference.js';

/** Short enough that a new version is seen soon; an unchanged one is revalidated by its tag (RFC 9111 section 4.3). */
const CACHE_CONTROL = 'public, max-age=300';

/** A document that is the same for all callers during a process's life. */
interface FixedDocument {
  readonly contentType: string;
  /** None where nothing in it could run. */
  readonly contentSecurityPolicy: string | undefined;
  /** Digest of its text; each content coding has a tag of its own (RFC 9110 section 8.8.3.3). */
  readonly digest: string;
  /** The content codings requested so far. */
  readonly packings: Map<Packing, Uint8Array>;
}

/** Content codings, best first. Uncompressed, the document has half a megabyte. */
const PACKINGS = ['br', 'gzip', 'identity'] as const;
type Packing = (typeof PACKINGS)[number];

/** Placeholder of the gateway's address in the built document, because only the deployment knows it. */
export const ADDRESS_PLACE = 'https://gateway.invalid';

/** The document of a deployment with a separate address for proxied calls; the base URL accepts them, too. */
function withServerOfProxy(text: string, proxyUrl: string): string {
  const document: { servers: unknown[]; paths: Record<string, object> } = JSON.parse(text);
  const own = { url: proxyUrl, description: 'Address of proxied calls' };
  const path = '/proxy/{path}';
  document.paths[path] = { servers: [own, ...document.servers], ...document.paths[path] };
  return JSON.stringify(document);
}

/** The document of a deployment without some features: it omits their routes and the groups of these. */
function withoutFeatures(text: string, without: ReadonlySet<string>): string {
  if (without.size === 0) return text;
  const document: { tags: readonly { name: string }[]; paths: Record<string, object> } = JSON.parse(text);
  const features = FEATURES.filter(({ id }) => without.has(id));
  const left = features.flatMap(({ paths }) => paths);
  const groups = features.flatMap(({ tags }) => Object.keys(tags));
  for (const path of Object.keys(document.paths)) {
    if (left.some((one) => path === `/${one}` || path.startsWith(`/${one}/`))) delete document.paths[path];
  }
  document.tags = document.tags.filter(({ name }) => !groups.includes(name));
  return JSON.stringify(document);
}

/**
 * The API's own description. The build makes it and the first request reads it, after which it is cached, because unauthenticated
 * requests must cost almost nothing (DS-9).
 */
export function documentRoutes(): readonly Route[] {
  const openApi = keptByAddress(async ({ baseUrl, proxyUrl, builtFile, without }) => {
    const built = withoutFeatures((await builtFile('openapi.json')).toString('utf8'), without);
    const addressed = built.replaceAll(JSON.stringify(ADDRESS_PLACE), JSON.stringify(baseUrl));
    const text = proxyUrl === undefined ? addressed : withServerOfProxy(addressed, proxyUrl);
    return fixedDocument('application/json; charset=utf-8', text, undefined);
  });
  const firstPage = keptByAddress(async ({ baseUrl, builtFile, docsPage, without }) => {
    const { quickStartPage } = await docsPage();
    const described: Json = JSON.parse(withoutFeatures((await builtFile('openapi.json')).toString('utf8'), without));
    const page = quickStartPage({ baseUrl, described });
    return fixedDocument('text/html; charset=utf-8', page.text, page.policy);
  });
  const reference = keptByAddress(async ({ baseUrl, docsPage }) => {
    const { REFERENCE_POLICY, referencePage } = await docsPage();
    return fixedDocument('text/html; charset=utf-8', referencePage(baseUrl), REFERENCE_POLICY);
  });
  const script = keptByAddress(async ({ builtFile }) => {
    const packed = await builtFile('reference.js.br');
    const packings = new Map<Packing, Uint8Array>([['br', packed]]);
    const contentType = 'text/javascript; charset=utf-8';
    return { contentType, contentSecurityPolicy: undefined, digest: sha256Base64url(packed), packings };
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
        summary: 'Read this API as a page: a quick start and every operation; with any query, to try them',
        answer: 'html',
        errors: [],
        example: {},
      })),
      handle: async (services, request) =>
        answerOnce(request, await (request.query.length > 0 ? reference : firstPage)(services)),
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

/** Builds once; a process has one address, and a failure is not cached. */
function keptByAddress(build: (services: Services) => Promise<FixedDocument>) {
  let kept: { readonly baseUrl: string; readonly document: FixedDocument } | undefined;
  return async (services: Services): Promise<FixedDocument> => {
    const { baseUrl } = services;
    if (kept?.baseUrl !== baseUrl) kept = { baseUrl, document: await build(services) };
    return kept.document;
  };
}

function fixedDocument(contentType: string, text: string, contentSecurityPolicy: string | undefined): FixedDocument {
  const packings = new Map<Packing, Uint8Array>([['identity', Buffer.from(text)]]);
  return { contentType, contentSecurityPolicy, digest: sha256Base64url(text), packings };
}

/** The document, or 304 for a client that already has it (RFC 9110 section 13.1.2). */
function answerOnce(request: GatewayRequest, document: FixedDocument): GatewayResponse {
  const { contentType, contentSecurityPolicy, digest } = document;
  const packing = wantedPacking(headerValues(request.headers, 'accept-encoding').join(','));
  const hasIt = headerValues(request.headers, 'if-none-match')
    .flatMap((value) => value.split(','))
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === tagOf(digest, packing));
  return {
    status: hasIt ? 304 : 200,
    headers: [
      ['content-type', contentType],
      ['cache-control', CACHE_CONTROL],
      ['etag', tagOf(digest, packing)],
      ['vary', 'accept-encoding'],
      ...(packing === 'identity' ? [] : [['content-encoding', packing] as const]),
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ['cross-origin-opener-policy', 'same-origin'],
      ...(contentSecurityPolicy === undefined ? [] : [['content-security-policy', contentSecurityPolicy] as const]),
      ['x-request-id', request.requestId],
    ],
    body: hasIt ? undefined : packed(document.packings, packing),
  };
}

function tagOf(digest: string, packing: Packing): string {
  return packing === 'identity' ? `"${digest}"` : `"${digest}-${packing}"`;
}

/** The body in that content coding, which is computed once per process (DS-9). */
function packed(packings: Map<Packing, Uint8Array>, packing: Packing): Uint8Array {
  const known = packings.get(packing);
  if (known !== undefined) return known;
  const packedBody = packings.get('br');
  const body =
    packings.get('identity') ?? (packedBody === undefined ? new Uint8Array() : brotliDecompressSync(packedBody));
  // Higher qualities take seconds for the first response and save less than 10 %.
  const made =
    packing === 'identity'
      ? body
      : packing === 'gzip'
        ? gzipSync(body)
        : brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  packings.set(packing, made);
  return made;
}

/**
 * The best content coding that a client accepts explicitly; without any, identity (RFC 9110 section
 * 12.5.3).
 *
 * @param header value of `Accept-Encoding`, empty where there was none
 */
export function wantedPacking(header: string): Packing {
  const weights = new Map(
    header.split(',').map((range): [string, number] => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const weightOf = (name: Packing): number => weights.get(name) ?? weights.get('*') ?? 0;
  return PACKINGS.find((name) => name !== 'identity' && weightOf(name) > 0) ?? 'identity';
}
