import type { GatewayResponse } from '../../shared/domain/http-message.ts';
import { html, htmlPage, scriptLiteral } from '../../shared/http/html-page.ts';
import { CONNECT_SCRIPT } from './connect-script.ts';

/** The hosted connect page. It holds nothing itself: the session token is in the fragment, which no server sees (CS-2). */
export function connectPage(baseUrl: string, nonce: string, requestId: string): GatewayResponse {
  return htmlPage({
    status: 200,
    title: 'Connect your account',
    nonce,
    requestId,
    body: html`<h1 id="title">Connect your account</h1>
<p id="status" role="status" aria-live="polite" class="soft">Loading…</p>
<div id="integrations"></div>
<noscript><p class="bad">This page needs JavaScript to read your connect link.</p></noscript>`,
    script: html`const BASE_URL = ${scriptLiteral(baseUrl)};${CONNECT_SCRIPT}`,
  });
}
