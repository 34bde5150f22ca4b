/** Built as `docs-page.mjs`, and loaded with the first request for the API's page. */
export { quickStartPage, REFERENCE_POLICY, referencePage } from './reference/page.ts';
