import { GatewayError } from '../../gateway/core/errors.ts';
import type { GatewayResponse } from '../../gateway/core/http-message.ts';
import { ERROR_HEADER } from '../../gateway/http/error-response.ts';
import { html, htmlPage, statusMark } from '../../gateway/http/html-page.ts';

/** A failure of a route that people open in a browser: what happened and what to do, in words. */
export function problemPage(error: unknown, nonce: string, requestId: string): GatewayResponse {
  const known =
    error instanceof GatewayError
      ? error
      : new GatewayError('internal_error', 'The gateway failed. Go back to the app and try again.');
  const words = known.problems?.map(({ path, message }) => `${path}: ${message}`) ?? [known.message];
  return htmlPage({
    status: known.status,
    title: 'This did not work',
    nonce,
    requestId,
    headers: [[ERROR_HEADER, known.code]],
    body: html`<div class="mark">${statusMark('bad')}<h1>This did not work</h1></div>
<div class="note bad" role="alert">${words.map((text) => html`<p>${text}</p>`)}</div>
<p>Nothing was connected. Go back to the app that sent you here; if it happens again, tell its developer.</p>
<p class="soft small">Request <code>${requestId}</code></p>`,
  });
}
