import { sha256Base64url } from '../../gateway/core/digest.ts';
import { type GatewayRequest, type GatewayResponse, headerValues } from '../../gateway/core/http-message.ts';
import { openRoute, type Route } from '../route.ts';

/** Short enough that a new version is seen soon; what has not changed is asked for by its tag (RFC 9111 section 4.3). */
const CACHE_CONTROL = 'public, max-age=300';

/** A document that is the same for everybody as long as the process lives. */
interface FixedDocument {
  readonly contentType: string;
  /** None where nothing in it could run. */
  readonly contentSecurityPolicy: string | undefined;
  readonly etag: string;
  readonly body: Uint8Array;
}

/**
 * The API's own description. What it is made of is loaded with the first request for it, not with every cold start, and what
 * comes of it is kept: anyone may ask as often as they like, so an answer must cost nothing (DS-9).
 *
 * @param routes the whole table, these rows included
 */
export function documentRoutes(routes: () => readonly Route[]): readonly Route[] {
  const openApi = keptByAddress(async (baseUrl) => {
    const { openApiDocument } = await import('../openapi/document.ts');
    const text = JSON.stringify(openApiDocument(routes(), baseUrl));
    return fixedDocument('application/json; charset=utf-8', text, undefined);
  });
  const reference = keptByAddress(async (baseUrl) => {
    const [{ openApiDocument }, { referencePage }] = await Promise.all([
      import('../openapi/document.ts'),
      import('../openapi/reference-page.ts'),
    ]);
    const { text, contentSecurityPolicy } = referencePage(openApiDocument(routes(), baseUrl));
    return fixedDocument('text/html; charset=utf-8', text, contentSecurityPolicy);
  });
  return [
    openRoute({
      method: 'GET',
      pattern: '/openapi.json',
      summary: 'This API as an OpenAPI 3.1 document',
      handle: async ({ baseUrl }, request) => answerOnce(request, await openApi(baseUrl)),
    }),
    openRoute({
      method: 'GET',
      pattern: '/docs',
      summary: 'This API as a page to read',
      handle: async ({ baseUrl }, request) => answerOnce(request, await reference(baseUrl)),
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
  const { contentType, contentSecurityPolicy, etag, body } = document;
  const hasIt = headerValues(request.headers, 'if-none-match')
    .flatMap((value) => value.split(','))
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
  return {
    status: hasIt ? 304 : 200,
    headers: [
      ['content-type', contentType],
      ['cache-control', CACHE_CONTROL],
      ['etag', etag],
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ...(contentSecurityPolicy === undefined ? [] : [['content-security-policy', contentSecurityPolicy] as const]),
      ['x-request-id', request.requestId],
    ],
    body: hasIt ? undefined : body,
  };
}
