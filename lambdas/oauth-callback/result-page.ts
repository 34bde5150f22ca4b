import type { GatewayResponse } from '../shared/domain/http-message.ts';
import { isAllowedReturnUrl } from '../shared/domain/return-url.ts';
import { canonicalScope } from '../shared/domain/scopes.ts';
import { html, type SafeHtml } from '../shared/http/html.ts';
import { htmlPage, statusMark } from '../shared/http/html-page.ts';
import { inlineScript } from '../shared/http/inline-script.ts';
import { providerOf } from '../shared/providers/index.ts';
import type { FlowResult } from '../shared/use-cases/authorization/complete-authorization.ts';
import { type ResultConfig, runResultPage } from './browser/result-script.ts';

/** What the page is made for. */
export interface ResultPageOptions {
  readonly baseUrl: string;
  /** The deployment's list: a session's return URL counts only while it is on it. */
  readonly connectReturnUrls: readonly string[];
  readonly nonce: string;
  readonly requestId: string;
}

/** The small page that ends a flow: says what happened and whose move it is, tells its opener, closes itself. */
export function resultPage(result: FlowResult, options: ResultPageOptions): GatewayResponse {
  const { nonce, requestId, baseUrl } = options;
  const returnUrl =
    result.returnUrl !== undefined && isAllowedReturnUrl(result.returnUrl, options.connectReturnUrls)
      ? result.returnUrl
      : undefined;
  const canRetry = result.canStartAgain && (result.kind === 'connected' || result.failure.canRetry);
  const config: ResultConfig = {
    baseUrl,
    message: messageOf(result),
    targetOrigin: result.openerOrigin ?? new URL(baseUrl).origin,
    isDone: result.kind === 'connected' && result.missingScopes.length === 0,
    retry: !canRetry ? 'none' : result.integrationId === undefined ? 'page' : 'start',
    integrationId: result.integrationId ?? null,
    returnUrl: returnUrl ?? null,
  };
  return htmlPage({
    status: result.kind === 'connected' ? 200 : result.failure.status,
    title: result.kind === 'connected' ? 'Connected' : result.failure.text.title,
    nonce,
    requestId,
    keepsOpener: true,
    script: inlineScript(runResultPage, config),
    body:
      result.kind === 'connected'
        ? connectedBody(result, returnUrl)
        : failedBody(result, returnUrl, canRetry, requestId),
  });
}

function messageOf(result: FlowResult): object {
  return result.kind === 'connected'
    ? { type: 'nango_oauth_callback_success' }
    : {
        type: 'nango_oauth_callback_error',
        payload: { message: result.failure.message, errorType: result.failure.errorType },
      };
}

function connectedBody(result: Extract<FlowResult, { kind: 'connected' }>, returnUrl: string | undefined): SafeHtml {
  const { connection, missingScopes } = result;
  const provider = providerOf(connection.provider);
  const account = connection.providerAccount?.email;
  const meaning = (scope: string) =>
    provider.scopes.find((known) => canonicalScope(known.scope) === scope)?.meaning ?? scope;
  const who = html`<p role="status">${provider.displayName}${account ? html` of <strong>${account}</strong>` : html``} is connected.</p>`;
  if (missingScopes.length === 0) {
    return html`<div class="mark">${statusMark('good')}<h1>Connected</h1></div>
${who}
${closing(returnUrl, 'Back to the app')}`;
  }
  return html`<div class="mark">${statusMark('good')}<h1>Connected, with less access</h1></div>
${who}
<p>You did not allow everything, so the app cannot:</p>
<ul>${missingScopes.map((scope) => html`<li>${meaning(scope)}</li>`)}</ul>
${retryRow('Ask again', true)}
${closing(returnUrl, 'Leave it so')}`;
}

function failedBody(
  result: Extract<FlowResult, { kind: 'failed' }>,
  returnUrl: string | undefined,
  canRetry: boolean,
  requestId: string,
): SafeHtml {
  const { text, providerSaid, detail } = result.failure;
  return html`<div class="mark">${statusMark('bad')}<h1>${text.title}</h1></div>
<div class="note bad" role="alert"><p>${text.happened}</p><p><strong>${text.next}</strong></p></div>
${providerSaid === undefined ? html`` : html`<p class="soft">Google said: <code>${providerSaid}</code></p>`}
${detail === undefined ? html`` : html`<p class="soft">Detail: <code>${detail}</code></p>`}
${retryRow('Try again', canRetry)}
${closing(returnUrl, 'Back to the app')}
<p class="soft small">Request <code>${requestId}</code></p>`;
}

function retryRow(label: string, canRetry: boolean): SafeHtml {
  if (!canRetry) return html``;
  return html`<div class="actions" id="retry-row"><button type="button" id="retry">${label}</button></div>
<p id="no-retry" class="soft" hidden>To try again, open the link from the app once more.</p>`;
}

function closing(returnUrl: string | undefined, label: string): SafeHtml {
  return returnUrl === undefined
    ? html`<p class="soft">You can close this page.</p>`
    : html`<div class="actions"><a class="button quiet" href="${returnUrl}">${label}</a></div>`;
}
