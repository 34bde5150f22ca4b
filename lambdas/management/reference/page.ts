import { createHash } from 'node:crypto';
import { html, SafeHtml } from '../../gateway/http/html-page.ts';
import type { Json } from '../../gateway/openapi/json-schema.ts';
import { listAt, operationsOf, textAt } from '../../gateway/openapi/read-document.ts';
import { titleOf } from './titles.rules.ts';

/**
 * Scripts and requests are restricted to the gateway itself. The reference component writes `<style>` elements and style attributes
 * into its shadow tree, so inline styles are allowed.
 */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TITLE = 'Integration gateway: API reference';

/** Additional elements in the page's head. */
const HEAD = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Calls to Google Drive and Google Calendar on behalf of your end users: quick start and every operation.">
<title>${TITLE}</title>
<link rel="icon" href="data:,">`;

/** The API reference: a component that reads openapi.json, with search, copy and requests with the reader's own key. */
export function referencePage(baseUrl: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
${HEAD}
<style>body { margin: 0; font-family: system-ui, sans-serif; } noscript { display: block; padding: 2rem; }
body > header h1 { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
openapi-explorer { --green: #146c2e; --blue: #0550ae; --red: #b3261e; --orange: #8f4a00; --purple: #6639ba; --yellow: #7a5900; }
:root { color-scheme: light dark; }
pre { padding: .75rem 1rem; border: 1px solid currentcolor; border-radius: .5rem; overflow-x: auto; font-size: .875rem; }
@media (prefers-color-scheme: dark) { body { background: #161d26; color: #ebebf0; }
openapi-explorer { --green: #7ee787; --blue: #79c0ff; --red: #ff9c95; --orange: #ffb77c; --purple: #d2a8ff; --yellow: #f2cc60;
--inline-code-fg: #ffa198; --code-fg: #b4b4bb; --code-keyword-color: #79c0ff; --code-property-color: #ff9bce; --code-operator-color: #e3b341; } }</style>
<script type="module" src="docs/reference.js"></script>
</head>
<body>
<header><h1>${TITLE}</h1></header>
<openapi-explorer default-schema-tab="example" schema-expand-level="2" response-area-height="400px" hide-server-selection hide-components>
<div slot="overview">${quickStart(baseUrl)}</div>
</openapi-explorer>
<noscript>This page needs JavaScript. The same to read: <a href="docs">the list of operations</a> and <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</noscript>
</body>
</html>
`.text;
}

const STYLE = `
:root{color-scheme:light dark;--ink:#16191f;--soft:#545b64;--ground:#fff;--line:#d5dbdb;--accent:#0550ae;--code:#f4f6f9}
@media (prefers-color-scheme:dark){:root{--ink:#ebebf0;--soft:#b4b4bb;--ground:#161d26;--line:#414d5c;--accent:#79c0ff;--code:#0f1520}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 4rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.25rem;margin:2.5rem 0 .5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
h3{font-size:1.0625rem;margin:1.5rem 0 .25rem}
a{color:var(--accent)}
pre{margin:.5rem 0;padding:.75rem 1rem;background:var(--code);border:1px solid var(--line);border-radius:.5rem;overflow-x:auto;font-size:.875rem}
code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace}
ul{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:0 1.5rem}
li a{display:block;padding:.5rem 0;min-height:2.75rem;text-decoration:none}
li a:hover b{text-decoration:underline}
li b{font-weight:600;display:block}
li code,.soft{color:var(--soft);font-size:.8125rem}
:target{outline:3px solid var(--accent);outline-offset:4px;border-radius:4px}
a:focus-visible,pre:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:4px}
`;

/** The first page of the reference, and its policy: without script or other resources, so that it is shown at once. */
export function quickStartPage({ baseUrl, described }: { readonly baseUrl: string; readonly described: Json }): {
  readonly text: string;
  readonly policy: string;
} {
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
  const operations = operationsOf(described).filter(({ path }) => !path.startsWith('/docs'));
  const tags = [...new Set(operations.map(({ operation }) => String(listAt(operation, 'tags')[0] ?? '')))];
  const groups = tags.map((tag) => {
    const links = operations
      .filter(({ operation }) => listAt(operation, 'tags')[0] === tag)
      .map(({ method, path, operation }) => {
        // Named as in the component, so that an address with its fragment works here, too.
        const id = `?route=${method.toLowerCase()}-${path.replace(/[\s#:?&={}-]+/g, '-')}`;
        return html`<li><a id="${id}" href="docs?try#${id}"><b>${titleOf(textAt(operation, 'operationId'))}</b><code>${method} ${path}</code></a></li>\n`;
      });
    return html`<h3>${tag}</h3>\n<ul>\n${links}</ul>\n`;
  });
  const text = html`<!doctype html>
<html lang="en">
<head>
${HEAD}
<style>${new SafeHtml(STYLE)}</style>
</head>
<body>
<header>
<h1>${TITLE}</h1>
<p class="soft">Base URL <code>${baseUrl}</code>. <a href="docs?try">Search all operations and try them with your key</a> (loads 240 KB). For tools: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
</header>
<main>
${quickStart(baseUrl)}
<h2 id="operations">All operations</h2>
${groups}
</main>
</body>
</html>
`.text;
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { text, policy };
}

/** From the beginning to the provider's first answer, with the gateway's own address. */
function quickStart(baseUrl: string): SafeHtml {
  return html`<h2 id="quick-start">Quick start</h2>
<h3>1. Create a connect session for one of your users</h3>
<pre tabindex="0"><code>export GATEWAY_SECRET_KEY=sk_...
curl -X POST ${baseUrl}/connect/sessions \\
  -H "Authorization: Bearer $GATEWAY_SECRET_KEY" -H 'Content-Type: application/json' \\
  -d '{"end_user": {"id": "user-42"}, "allowed_integrations": ["google-drive"]}'</code></pre>
<p>Create the key in the dashboard, under <em>Keys</em>. Keep it on your server.</p>
<h3>2. Let the user connect</h3>
<p>Send the user to <code>connect_link</code> of the response. Afterwards, list the connections of that user:</p>
<pre tabindex="0"><code>curl -H "Authorization: Bearer $GATEWAY_SECRET_KEY" '${baseUrl}/connections?end_user_id=user-42'</code></pre>
<h3>3. Call Google as that user</h3>
<pre tabindex="0"><code>curl '${baseUrl}/proxy/drive/v3/files?pageSize=10' \\
  -H "Authorization: Bearer $GATEWAY_SECRET_KEY" \\
  -H 'Provider-Config-Key: google-drive' -H 'Connection-Id: &lt;connection_id&gt;'</code></pre>
<p>Paths and bodies are Google’s own; tokens are kept fresh for you. Errors of the gateway have the header <code>x-gateway-error</code>; Google’s are unchanged.</p>`;
}
