import type { Brand } from '../../gateway/core/brand.ts';
import type { GatewayResponse } from '../../gateway/core/http-message.ts';
import { GOOGLE_MARK, html, htmlPage, statusMark } from '../../gateway/http/html-page.ts';
import { LANGUAGES } from '../../gateway/languages/language.rules.ts';
import type { ConnectConfig } from '../browser/connect-page.ts';
import type { Speech } from '../language.ts';
import type { SessionView } from '../session-view.ts';
import { errorsGoogleShows } from './errors-google-shows.ts';

/** Options of the page. */
export interface ConnectPageOptions extends Speech {
  readonly baseUrl: string;
  readonly brand: Brand | undefined;
  /** Origins that may frame the page and receive its messages. */
  readonly allowedOrigins: readonly string[];
  /** A preview session to show instead of a real one; its buttons do nothing. */
  readonly preview?: SessionView | undefined;
  /** The page's script, as built. */
  readonly script: string;
  readonly nonce: string;
  readonly requestId: string;
}

/** The hosted connect page. It contains no secret: the session token is in the fragment, which no server sees (CS-2). */
export function connectPage(options: ConnectPageOptions): GatewayResponse {
  const { baseUrl, allowedOrigins, language, texts, brand, nonce, requestId } = options;
  const { session, googleErrors } = texts;
  return htmlPage({
    status: 200,
    title: session.title,
    lang: LANGUAGES[language].lang,
    brand,
    nonce,
    requestId,
    frameAncestors: allowedOrigins,
    keepsOpener: true,
    body: html`<div id="content"><h1>${session.title}</h1></div>
<p id="status" role="status" class="soft" hidden></p>
<noscript><p class="note bad">${session.needsScript}</p></noscript>
<details id="google-errors">
<summary>${googleErrors.question}</summary>
<p>${googleErrors.answer}</p>
<dl>${errorsGoogleShows(texts).map(({ name, meaning }) => html`<dt>${name}</dt><dd>${meaning}</dd>`)}</dl>
</details>
<template id="mark-good">${statusMark('good')}</template>
<template id="mark-bad">${statusMark('bad')}</template>
<template id="mark-google">${GOOGLE_MARK}</template>`,
    script: options.script,
    scriptConfig: {
      baseUrl,
      allowedOrigins,
      language,
      texts: {
        common: texts.common,
        session,
        admin: texts.admin,
        frame: texts.frame,
        problems: texts.problems,
        services: texts.services,
      },
      preview: options.preview ?? null,
    } satisfies ConnectConfig,
  });
}
