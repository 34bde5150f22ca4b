import type { Brand, BrandSettings } from '../core/brand.ts';
import type { GatewayResponse, HeaderPairs } from '../core/http-message.ts';
import { PAGE_CONFIG_ID } from './page-config.ts';

/** Text that is safe as HTML: the only way for outside text into a page. */
export class SafeHtml {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Interpolation = string | number | SafeHtml | readonly SafeHtml[] | undefined;

/** A template whose interpolations are escaped, unless they are safe already. */
export function html(parts: TemplateStringsArray, ...values: Interpolation[]): SafeHtml {
  let text = parts[0] ?? '';
  values.forEach((value, i) => {
    text += interpolated(value) + (parts[i + 1] ?? '');
  });
  return new SafeHtml(text);
}

/** Texts, which are escaped, and markup, joined. */
export function joinedHtml(parts: readonly (string | SafeHtml)[]): SafeHtml {
  return new SafeHtml(parts.map(interpolated).join(''));
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

/** A value as JSON that cannot end its script element. */
export function scriptJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const LIGHT =
  '--ink:#1a1c1f;--soft:#545a63;--paper:#fff;--ground:#f1f3f6;--line:#d3d7de;--accent:#0b57d0;--hover:#0947ab;--on-accent:#fff;--good:#146c2e;--bad:#b3261e;--note:#f4f6f9;';
const DARK =
  '--ink:#e6e8eb;--soft:#aab0ba;--paper:#1d2024;--ground:#121417;--line:#3d434c;--accent:#a8c7fa;--hover:#c4d9fc;--on-accent:#062e6f;--good:#7fd694;--bad:#f2b8b5;--note:#262a30;';

/** Style of every page of the gateway: light and dark, from 320 px, no image and no font of its own. */
const PAGE_STYLE = `
:root{color-scheme:light;${LIGHT}}
:root[data-theme=dark]{color-scheme:dark;${DARK}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${DARK}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px 16px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Open Sans",sans-serif;-webkit-text-size-adjust:100%}
main{width:100%;max-width:480px;padding:32px;background:var(--paper);border:1px solid var(--line);border-radius:16px;overflow-wrap:anywhere}
h1{margin:0 0 12px;font-size:1.5rem;line-height:1.25;text-wrap:balance}
:lang(ja){line-break:strict}
:lang(ja) h1{word-break:auto-phrase}
h1:focus{outline:none}
h2{margin:0 0 4px;font-size:1.0625rem}
h3{margin:20px 0 4px;font-size:.875rem}
p{margin:8px 0}
ul,dl{margin:8px 0 16px;padding:0}
ul{list-style:none}
li{position:relative;padding:4px 0 4px 28px}
li::before{content:"";position:absolute;left:8px;top:.8em;border:3px solid var(--soft);border-radius:50%}
section{margin-top:20px;padding-top:20px;border-top:1px solid var(--line)}
dt{margin-top:12px;font-weight:600;font-size:.875rem}
dd{margin:0;font-size:.9375rem}
details{margin-top:24px;padding-top:16px;border-top:1px solid var(--line);font-size:.9375rem}
summary{cursor:pointer;color:var(--soft);border-radius:4px}
.soft{color:var(--soft);font-size:.9375rem}
.small{font-size:.8125rem;margin-top:16px}
.mark{display:flex;align-items:center;gap:12px;margin-bottom:12px}
.mark h1{margin:0}
.mark svg{flex:none}
.good{color:var(--good)}
.bad{color:var(--bad)}
.note{margin:12px 0;padding:12px 16px;border-left:4px solid var(--soft);border-radius:4px 12px 12px 4px;background:var(--note)}
.note.bad{border-color:var(--bad);color:var(--ink)}
.note.good{border-color:var(--good);color:var(--ink)}
.note.good strong{color:var(--good)}
.note p{margin:4px 0}
.value{display:block;padding:12px 16px;border:1px solid var(--line);border-radius:12px;background:var(--note)}
.value+.actions{margin-top:8px}
label{display:block;margin-top:12px;font-weight:600;font-size:.875rem}
input{width:100%;min-height:44px;margin-top:4px;padding:8px 12px;border:1px solid var(--soft);border-radius:12px;background:var(--paper);color:var(--ink);font:inherit}
.actions{display:flex;flex-wrap:wrap;gap:12px;margin-top:20px}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-height:44px;padding:8px 24px;border:1px solid var(--accent);border-radius:999px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button:hover:enabled,.button:hover{background:var(--hover);border-color:var(--hover)}
.quiet,.quiet:hover:enabled{background:transparent;color:var(--accent);border-color:var(--line)}
button:disabled{opacity:.65;cursor:default}
a{color:var(--accent)}
.brand{margin-bottom:24px;font-weight:600}
.brand img{display:block;max-width:100%;max-height:40px}
.google,.google:hover:enabled{gap:10px;padding:8px 12px;background:#fff;border-color:#747775;color:#1f1f1f;font:500 14px/20px Roboto,"Google Sans",arial,sans-serif;letter-spacing:.25px}
.google:hover:enabled{background:#f2f2f2}
.google svg{flex:none}
:root[data-theme=dark] .google{background:#131314;border-color:#8e918f;color:#e3e3e3}
:root[data-theme=dark] .google:hover:enabled{background:#2a2a2c}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]) .google{background:#131314;border-color:#8e918f;color:#e3e3e3}:root:not([data-theme=light]) .google:hover:enabled{background:#2a2a2c}}
button:focus-visible,a:focus-visible,input:focus-visible,summary:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
strong,code{unicode-bidi:isolate}
code{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
[hidden]{display:none!important}
:root.framed{color-scheme:normal}
.framed body{background:rgb(0 0 0 / .45)}
@media (max-width:480px){body{padding:0;place-items:start stretch;background:var(--paper)}main{padding:24px 20px;border:0;border-radius:0}button,.button{width:100%}}
`;

export interface PageOptions {
  readonly status: number;
  readonly title: string;
  /** Language of the page as a tag (RFC 5646). */
  readonly lang: string;
  readonly brand?: Brand | undefined;
  /** Inside `main`. */
  readonly body: SafeHtml;
  /** Style of this page alone, after that of every page. */
  readonly style?: string;
  /** Text of a built script, without an end tag of its own; run under the page's nonce. */
  readonly script?: string;
  /** The script's configuration, see `pageConfig`. */
  readonly scriptConfig?: unknown;
  readonly nonce: string;
  readonly requestId: string;
  /** Origins that may frame the page; none by default (CS-11). */
  readonly frameAncestors?: readonly string[];
  /** Targets of the page's forms, redirects included. @default `'self'` */
  readonly formAction?: readonly string[];
  /**
   * Whether an opener of the page may keep its handle, which a popup needs to return its result: a popup with an opener policy of its
   * own loses every opener of another origin (HTML "Cross-origin opener policies"; CS-10).
   */
  readonly keepsOpener?: boolean;
  readonly headers?: HeaderPairs;
}

/** A small page of the gateway: no third-party resource, nonce CSP, never cached, no referrer (OA-11). */
export function htmlPage(options: PageOptions): GatewayResponse {
  const { nonce } = options;
  const page = html`<!doctype html>
<html lang="${options.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${options.title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${new SafeHtml(PAGE_STYLE + (options.style ?? ''))}${accentStyle(options.brand)}</style>
</head>
<body>
<main>
${brandHeader(options.brand)}${options.body}
</main>
${script(options)}
</body>
</html>
`;
  return {
    status: options.status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', contentSecurityPolicy(options)],
      ['content-language', options.lang],
      ['vary', 'Accept-Language'],
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

function script({ script, scriptConfig, nonce }: PageOptions): SafeHtml {
  if (script === undefined) return html``;
  const config =
    scriptConfig === undefined
      ? html``
      : html`<script type="application/json" id="${PAGE_CONFIG_ID}">${new SafeHtml(scriptJson(scriptConfig))}</script>\n`;
  return html`${config}<script nonce="${nonce}">${new SafeHtml(script)}</script>`;
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

function brandHeader(brand: Brand | undefined): SafeHtml {
  if (brand?.logo !== undefined)
    return html`<header class="brand"><img src="${brand.logo}" alt="${brand.name ?? ''}"></header>\n`;
  return brand?.name === undefined ? html`` : html`<header class="brand">${brand.name}</header>\n`;
}

/** Overrides the style of every page by coming later. */
function accentStyle(brand: Brand | undefined): SafeHtml {
  if (brand?.accent === undefined) return html``;
  const { light, dark } = brand.accent;
  return new SafeHtml(
    `:root{${light}}:root[data-theme=dark]{${dark}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}`,
  );
}

/** Google's mark, in its colours and on its own background, as "Sign in with Google Branding Guidelines" require. */
export const GOOGLE_MARK = new SafeHtml(
  '<svg width="20" height="20" viewBox="0 0 48 48" aria-hidden="true">' +
    '<path fill="#EA4335" d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"/>' +
    '<path fill="#4285F4" d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"/>' +
    '<path fill="#FBBC05" d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"/>' +
    '<path fill="#34A853" d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"/></svg>',
);

/** A round mark next to a heading that shows the outcome; decorative. */
export function statusMark(kind: 'good' | 'bad'): SafeHtml {
  const path = kind === 'good' ? 'M9 16.5l4.5 4.5L23 11.5' : 'M16 9v8M16 21.5v.5';
  return new SafeHtml(
    `<svg class="${kind}" width="32" height="32" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><circle cx="16" cy="16" r="14"/><path d="${path}"/></svg>`,
  );
}

/** The brand with its logo, which is read once per process. */
export function brandSource(
  settings: BrandSettings,
  readFile: (name: 'logo') => Promise<Buffer>,
): () => Promise<Brand> {
  const { logo } = settings;
  if (logo === undefined || logo.startsWith('data:')) return () => Promise.resolve(settings);
  let read: string | undefined;
  return async () => {
    read ??= `data:${logo};base64,${(await readFile('logo')).toString('base64')}`;
    return { ...settings, logo: read };
  };
}
