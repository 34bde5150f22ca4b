import type { GatewayResponse, HeaderPairs } from '../core/http-message.ts';
import { html, SafeHtml } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';

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
  /** Sources a form of the page may lead to, redirects included. @default `'self'` */
  readonly formAction?: readonly string[];
  /**
   * Whether a window that opened the page may keep its handle, which a popup needs to tell its result: a popup with an
   * opener policy of its own is cut off from every opener of another origin (HTML "Cross-origin opener policies"; CS-10).
   */
  readonly keepsOpener?: boolean;
  readonly headers?: HeaderPairs;
}

/** A small page of the gateway: no third-party resource, nonce CSP, never cached, no referrer (OA-11). */
export function htmlPage(options: PageOptions): GatewayResponse {
  const { nonce } = options;
  const script = options.script === undefined ? html`` : html`<script nonce="${nonce}">${options.script}</script>`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${options.title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${new SafeHtml(PAGE_STYLE)}</style>
</head>
<body>
<main>
${options.body}
</main>
${script}
</body>
</html>
`;
  return {
    status: options.status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', contentSecurityPolicy(options)],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-content-type-options', 'nosniff'],
      ['cross-origin-opener-policy', options.keepsOpener === true ? 'unsafe-none' : 'same-origin-allow-popups'],
      ['x-request-id', options.requestId],
      ...(options.headers ?? []),
    ],
    body: Buffer.from(page.text),
  };
}

function contentSecurityPolicy(options: PageOptions): string {
  const ancestors = options.frameAncestors ?? [];
  return [
    "default-src 'none'",
    `script-src 'nonce-${options.nonce}'`,
    `style-src 'nonce-${options.nonce}'`,
    'img-src data:',
    "connect-src 'self'",
    `form-action ${(options.formAction ?? ["'self'"]).join(' ')}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');
}

/** A round mark beside a heading: what happened, for the eye only. */
export function statusMark(kind: 'good' | 'bad'): SafeHtml {
  const path = kind === 'good' ? 'M9 16.5l4.5 4.5L23 11.5' : 'M16 9v8M16 21.5v.5';
  return new SafeHtml(
    `<svg class="${kind}" width="32" height="32" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="16" cy="16" r="14"/><path d="${path}"/></svg>`,
  );
}
