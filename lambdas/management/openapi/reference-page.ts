import { hash } from 'node:crypto';
import { html, SafeHtml } from '../../gateway/http/html-page.ts';
import type { Json } from './json-schema.ts';
import { jsonAt, listAt, operationsOf, type PlacedOperation, textAt } from './read-document.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

/**
 * An OpenAPI document as a page to read: no script, nothing from anywhere else. Its policy names its one style by digest, so that
 * the page can be kept and cached.
 */
export function referencePage(document: Json): { readonly text: string; readonly contentSecurityPolicy: string } {
  const title = textAt(document, 'info', 'title');
  const groups = groupsOf(document);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API reference</title>
<link rel="icon" href="data:,">
<style>${new SafeHtml(REFERENCE_STYLE)}</style>
</head>
<body>
<div class="page">
<nav aria-label="Operations">${groups.map(groupLinks)}</nav>
<main>
<h1>${title}</h1>
<p class="soft">${textAt(document, 'info', 'summary')} Version ${textAt(document, 'info', 'version')}, at <code>${serverOf(document)}</code>.
The same as a document for tools: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${prose(textAt(document, 'info', 'description'))}
${groups.map((group) => groupSection(group, document))}
</main>
</div>
</body>
</html>
`;
  const style = hash('sha256', REFERENCE_STYLE, 'base64');
  return {
    text: page.text,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${style}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

function groupsOf(document: Json): Group[] {
  const all = operationsOf(document);
  return listAt(document, 'tags').map((tag) => {
    const name = textAt(tag, 'name');
    const operations = all.filter(({ operation }) => listAt(operation, 'tags').includes(name));
    return { name, description: textAt(tag, 'description'), operations };
  });
}

function groupLinks({ name, operations }: Group): SafeHtml {
  const links = operations.map(
    ({ operation }) =>
      html`<li><a href="#${textAt(operation, 'operationId')}">${textAt(operation, 'operationId')}</a></li>`,
  );
  return html`<h2>${name}</h2><ul>${links}</ul>`;
}

function groupSection({ name, description, operations }: Group, document: Json): SafeHtml {
  return html`<section><h2>${name}</h2><p class="soft">${description}</p>${operations.map((one) => article(one, document))}</section>`;
}

function article({ method, path, operation, parameters }: PlacedOperation, document: Json): SafeHtml {
  const body = jsonAt(operation, 'requestBody', 'content', 'application/json');
  return html`<article id="${textAt(operation, 'operationId')}">
<h3>${textAt(operation, 'summary')}</h3>
<p class="call"><code class="method">${method}</code><code>${path}</code></p>
${prose(textAt(operation, 'description'))}
${parameterTable(parameters)}
${'example' in body ? html`<h4>Body</h4>${json(body.example)}` : html``}
${'schema' in body ? schemaDetails('Schema of the body', body.schema, document) : html``}
<h4>Answers</h4>
${Object.entries(jsonAt(operation, 'responses')).map(([status, response]) => answer(status, response, document))}
</article>
`;
}

function parameterTable(parameters: readonly unknown[]): SafeHtml {
  if (parameters.length === 0) return html``;
  const rows = parameters.map((one) => {
    const required = jsonAt(one).required === true ? ', required' : '';
    return html`<tr><td><code>${textAt(one, 'name')}</code></td><td>${textAt(one, 'in')}${required}</td><td>${inline(textAt(one, 'description'))}</td></tr>`;
  });
  return html`<h4>Parameters</h4><div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">Where</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function answer(status: string, given: unknown, document: Json): SafeHtml {
  const response = resolved(given, document);
  const content = jsonAt(response, 'content', 'application/json');
  const shown = 'example' in content ? json(content.example) : html``;
  const schema =
    status.startsWith('2') && 'schema' in content ? schemaDetails('Schema', content.schema, document) : html``;
  return html`<details${new SafeHtml(status.startsWith('2') ? ' open' : '')}><summary><code>${status}</code></summary>${prose(textAt(response, 'description'))}${shown}${schema}</details>`;
}

function schemaDetails(title: string, schema: unknown, document: Json): SafeHtml {
  return html`<details><summary class="soft">${title}</summary>${json(resolved(schema, document))}</details>`;
}

/** What a reference leads to; anything else as it is. */
function resolved(value: unknown, document: Json): unknown {
  const pointer = textAt(value, '$ref');
  return pointer === '' ? value : jsonAt(document, ...pointer.split('/').slice(1));
}

function json(value: unknown): SafeHtml {
  return html`<pre tabindex="0">${JSON.stringify(value, undefined, 2) ?? ''}</pre>`;
}

function serverOf(document: Json): string {
  return textAt(listAt(document, 'servers')[0], 'url');
}

/** Paragraphs with the two marks that our texts use: code and bold. */
function prose(text: string): SafeHtml {
  const paragraphs = text.split(/\n{2,}/).filter((part) => part.trim() !== '');
  return html`${paragraphs.map((part) => html`<p>${inline(part)}</p>`)}`;
}

function inline(text: string): SafeHtml {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${parts.map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('**') ? html`<strong>${part.slice(2, -2)}</strong>` : html`${part}`;
  })}`;
}
