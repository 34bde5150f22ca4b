import type { GatewayResponse } from '../../gateway/core/http-message.ts';
import { html, htmlPage, statusMark } from '../../gateway/http/html-page.ts';
import type { ConnectConfig } from '../browser/connect-page.ts';
import { ERRORS_GOOGLE_SHOWS } from './errors-google-shows.ts';

/** What the page is made for. */
export interface ConnectPageOptions {
  readonly baseUrl: string;
  /** Origins that may frame the page and receive its messages. */
  readonly allowedOrigins: readonly string[];
  /** The page's script, as built. */
  readonly script: string;
  readonly nonce: string;
  readonly requestId: string;
}

/** The hosted connect page. It holds nothing itself: the session token is in the fragment, which no server sees (CS-2). */
export function connectPage(options: ConnectPageOptions): GatewayResponse {
  const { baseUrl, allowedOrigins, nonce, requestId } = options;
  return htmlPage({
    status: 200,
    title: 'Connect your account',
    nonce,
    requestId,
    frameAncestors: allowedOrigins,
    keepsOpener: true,
    body: html`<div id="content"><h1>Connect your account</h1></div>
<p id="status" role="status" class="soft" hidden></p>
<noscript><p class="note bad">This page needs JavaScript to read your connect link. Switch it on and open the link again.</p></noscript>
<details id="google-errors">
<summary>Google showed an error?</summary>
<p>Then Google did not send you back. What its error means:</p>
<dl>${ERRORS_GOOGLE_SHOWS.map(({ name, meaning }) => html`<dt>${name}</dt><dd>${meaning}</dd>`)}</dl>
</details>
<template id="mark-good">${statusMark('good')}</template>
<template id="mark-bad">${statusMark('bad')}</template>`,
    script: options.script,
    scriptConfig: { baseUrl, allowedOrigins } satisfies ConnectConfig,
  });
}
