import { openRoute, type Route } from '../route.ts';

/**
 * The API's own description. What it is made of is loaded with the first request for it, not with every cold start.
 *
 * @param routes the whole table, these rows included
 */
export function documentRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    openRoute({
      method: 'GET',
      pattern: '/openapi.json',
      summary: 'This API as an OpenAPI 3.1 document',
      async handle({ baseUrl }) {
        const { openApiDocument } = await import('../openapi/document.ts');
        return { status: 200, body: openApiDocument(routes(), baseUrl) };
      },
    }),
    openRoute({
      method: 'GET',
      pattern: '/docs',
      summary: 'This API as a page to read',
      async handle({ baseUrl, random }, requestId) {
        const [{ openApiDocument }, { referencePage }] = await Promise.all([
          import('../openapi/document.ts'),
          import('../openapi/reference-page.ts'),
        ]);
        const nonce = Buffer.from(random.bytes(18)).toString('base64');
        return referencePage(openApiDocument(routes(), baseUrl), nonce, requestId);
      },
    }),
  ];
}
