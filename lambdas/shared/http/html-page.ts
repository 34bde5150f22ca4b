import type { GatewayResponse, HeaderPairs } from '../domain/http-message.ts';

/** Text that is safe as HTML: the only way anything from outside gets into a page. */
export class SafeHtml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Interpolation = string | number | SafeHtml | readonly SafeHtml[] | undefined;

/** A template whose interpolations are escaped, unless they are already safe. */
export function html(parts: TemplateStringsArray, ...values: Interpolation[]): SafeHtml {
  let text = parts[0] ?? '';
  values.forEach((value, i) => {
    text += interpolated(value) + (parts[i + 1] ?? '');
  });
  return new SafeHtml(text);
}

function interpolated(value: Interpolation): string {
  if (value === undefined) return '';
  if (value instanceof SafeHtml) return value.text;
  if (typeof value === 'object') return value.map((item) => item.text).join('');
  return escapeHtml(String(value));
}

/** Escapes for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`\u2028\u2029]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A value as a JavaScript literal inside a script element. */
export function scriptLiteral(value: unknown): SafeHtml {
  return new SafeHtml(
    JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

export interface PageOptions {
  readonly status: number;
  readonly title: string;
  /** Inside `main`. */
  readonly body: SafeHtml;
  /** Script text, run under the page's nonce. */
  readonly script?: SafeHtml | undefined;
  readonly nonce: string;
  readonly requestId: string;
  /** Origins that may frame the page; none by default (CS-11). */
  readonly frameAncestors?: readonly string[];
  readonly headers?: HeaderPairs;
}

/** A small page of the gateway: no third-party resource, nonce CSP, never cached, no referrer (OA-11, CS-10). */
export function htmlPage(options: PageOptions): GatewayResponse {
  const { nonce } = options;
  const script =
    options.script === undefined ? html`` : html`<script nonce="${nonce}">${options.script}</script>`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${options.title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
${options.body}
</main>
${script}
</body>
</html>
`;
  const ancestors = options.frameAncestors ?? [];
  return {
    status: options.status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      [
        'content-security-policy',
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${
          ancestors.length === 0 ? "'none'" : ancestors.join(' ')
        }`,
      ],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
      ['cross-origin-opener-policy', 'same-origin-allow-popups'],
      ['x-request-id', options.requestId],
      ...(options.headers ?? []),
    ],
    body: Buffer.from(page.text),
  };
}

const STYLE = new SafeHtml(`
:root { --ink: #1a1c1f; --soft: #5b6068; --paper: #fff; --ground: #f3f4f6; --line: #d5d8de; --accent: #0b57d0; --on-accent: #fff; --good: #146c2e; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #a5abb5; --paper: #1d2024; --ground: #121417; --line: #3a3f47; --accent: #a8c7fa; --on-accent: #062e6f; --good: #7fd694; --bad: #f2b8b5; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: 100%; max-width: 480px; padding: 32px; background: var(--paper); border: 1px solid var(--line); border-radius: 16px; overflow-wrap: anywhere; }
h1 { margin: 0 0 8px; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 0; font-size: 1.0625rem; }
p { margin: 8px 0; }
ul { margin: 8px 0 16px; padding-left: 20px; }
section { margin-top: 20px; padding-top: 20px; border-top: 1px solid var(--line); }
.soft { color: var(--soft); font-size: .9375rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
button, .button { display: inline-block; padding: 10px 20px; border: 0; border-radius: 999px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button:disabled { opacity: .6; cursor: default; }
button:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
code { font: .875rem/1.4 ui-monospace, SFMono-Regular, Menlo, monospace; }
[hidden] { display: none; }
`);
