import type { Brand } from '../../gateway/core/brand.ts';
import { ERROR_HEADER, GatewayError } from '../../gateway/core/errors.ts';
import type { GatewayResponse } from '../../gateway/core/http-message.ts';
import { html, htmlPage, joinedHtml, statusMark } from '../../gateway/http/html-page.ts';
import { allowHeader } from '../../gateway/http/middlewares.ts';
import { fillParts, LANGUAGES } from '../../gateway/languages/language.rules.ts';
import { problemText, type Speech } from '../language.ts';

export interface ProblemPageOptions extends Speech {
  readonly brand: Brand | undefined;
  readonly nonce: string;
  readonly requestId: string;
}

/**
 * The page for a failure of a route that people open in a browser: what happened and what to do. What the app's developer has to
 * correct follows in English, as in the API.
 */
export function problemPage(error: unknown, options: ProblemPageOptions): GatewayResponse {
  const { language, texts, brand, nonce, requestId } = options;
  const known =
    error instanceof GatewayError
      ? error
      : new GatewayError('internal_error', 'The gateway failed for another reason.');
  const text = problemText(texts, known);
  const isDevelopers = text === texts.problems.bad_address;
  const details = known.problems?.map(({ path, message }) => `${path}: ${message}`) ?? [known.message];
  return htmlPage({
    status: known.status,
    title: texts.problems.title,
    lang: LANGUAGES[language].lang,
    brand,
    nonce,
    requestId,
    headers: [[ERROR_HEADER, known.code], ...allowHeader(known)],
    body: html`<div class="mark">${statusMark('bad')}<h1>${texts.problems.title}</h1></div>
<div class="note bad" role="alert"><p>${text}</p>${isDevelopers ? details.map((detail) => html`<p lang="en">${detail}</p>`) : html``}</div>
<p>${texts.problems.advice}</p>
<p class="soft small">${joinedHtml(fillParts(texts.common.requestNumber, { id: html`<code>${requestId}</code>` }))}</p>`,
  });
}
