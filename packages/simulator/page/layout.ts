import { createHash } from 'node:crypto';
import type { SimResponse } from '../http/exchange.ts';
import { escapeHtml, PAGE_COLOURS } from '../oauth/page-layout.ts';

/** Below it are the pages for people. */
export const PAGE_PREFIX = '/__ui';

/** Markup whose parts from outside are escaped. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A template that escapes everything but other markup. */
export function markup(
  parts: TemplateStringsArray,
  ...values: (string | number | Markup | readonly Markup[])[]
): Markup {
  const shown = (value: (typeof values)[number]): string => {
    if (value instanceof Markup) return value.text;
    return typeof value === 'object' ? value.map(({ text }) => text).join('') : escapeHtml(String(value));
  };
  return new Markup(parts.map((part, i) => part + (i < values.length ? shown(values[i] ?? '') : '')).join(''));
}

const STYLE = `${PAGE_COLOURS}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 88rem; padding: 1rem 1rem 4rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .5rem 0 1rem; } a { color: var(--action); }
nav a { padding: .5rem 0; }
section { margin: 0 0 1.25rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 1rem; } h2 { font-size: 1.125rem; margin: 0 0 .75rem; }
.note { background: var(--note); color: var(--on-note); border-radius: .5rem; padding: .4rem .75rem; }
.soft { color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; } th, td { min-width: 6rem; overflow-wrap: normal; } td:first-child { min-width: 11rem; overflow-wrap: anywhere; } td code { display: inline-block; min-width: 9rem; overflow-wrap: anywhere; } td:has(form) { min-width: 13rem; } time { white-space: nowrap; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-size: .9rem; font-weight: 600; }
form { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin: 0; } label { display: grid; gap: .2rem; min-width: 0; max-width: 100%; }
button, select, input, textarea { font: inherit; min-height: 2.75rem; padding: .4rem .9rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: var(--text); max-width: 100%; min-width: 0; } select { width: 100%; }
textarea { width: 100%; font-family: ui-monospace, monospace; font-size: .875rem; } label.wide { flex: 1 1 100%; }
button { cursor: pointer; border-color: var(--action); color: var(--action); } button:hover { background: var(--hover); }
:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; } code { font-size: .875em; }
`;

/** No script runs, nothing is loaded, no form leads elsewhere and no page holds this one. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** A page for people, with the way to the others. */
export function page(status: number, title: string, body: Markup, isAdmitted = true): SimResponse {
  const links = [
    ['', 'Accounts'],
    ['/faults', 'Faults'],
    ['/requests', 'Requests'],
    ['/clients', 'Clients'],
    ['/agents', 'Agents'],
  ] as const;
  const nav = markup`<nav aria-label="Pages">${links.map(([path, name]) => markup`<a href="${PAGE_PREFIX}${path}">${name}</a>`)}</nav>`;
  const { text } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: Google simulator</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header>${isAdmitted ? nav : markup``}</header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return {
    status,
    headers: [['Content-Type', 'text/html; charset=utf-8'], ...safeHeaders()],
    body: Buffer.from(text),
  };
}

/** What every answer of these pages carries. */
export function safeHeaders(): [string, string][] {
  return [
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', POLICY],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'same-origin'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
  ];
}

/** A table with a name, or a sentence where there is nothing. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number | Markup)[])[],
  none: string,
): Markup {
  if (rows.length === 0) return markup`<p class="soft">${none}</p>`;
  return markup`<div class="scroll" tabindex="0" role="group" aria-label="${heads.join(', ')}"><table>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
}

/** A part of a page under a heading. */
export function section(heading: string, body: Markup): Markup {
  return markup`<section><h2>${heading}</h2>\n${body}\n</section>\n`;
}
