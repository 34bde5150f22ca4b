import { html } from '../../gateway/http/html-page.ts';

/** Where the page's one script is, from the page's own address. */
export const REFERENCE_SCRIPT_PATH = '/docs/reference.js';

/**
 * Scripts and requests go nowhere but to the gateway itself. The reference component writes `<style>` elements and style
 * attributes into its shadow tree, which is why styles may stand in the page.
 */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The API reference: a component that reads openapi.json, with search, copy and requests by the reader's own key. */
export function referencePage(title: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API reference</title>
<link rel="icon" href="data:,">
<style>body { margin: 0; font-family: system-ui, sans-serif; } noscript { display: block; padding: 2rem; }
h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
openapi-explorer { --green: #146c2e; --blue: #0550ae; --red: #b3261e; --orange: #8f4a00; --purple: #6639ba; --yellow: #7a5900; }
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) { body { background: #161d26; color: #ebebf0; }
openapi-explorer { --green: #7ee787; --blue: #79c0ff; --red: #ff9c95; --orange: #ffb77c; --purple: #d2a8ff; --yellow: #f2cc60;
--inline-code-fg: #ffa198; --code-fg: #b4b4bb; --code-keyword-color: #79c0ff; --code-property-color: #ff9bce; --code-operator-color: #e3b341; } }</style>
<script type="module" src="docs/reference.js"></script>
</head>
<body>
<header><h1>${title}: API reference</h1></header>
<openapi-explorer default-schema-tab="example" schema-expand-level="2" response-area-height="400px" hide-server-selection hide-components></openapi-explorer>
<noscript>This reference needs JavaScript. The same for tools, and to read: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</noscript>
</body>
</html>
`.text;
}
