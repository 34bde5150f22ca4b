import type { GatewayResponse } from '../shared/domain/http-message.ts';
import { html, htmlPage, type SafeHtml, scriptLiteral } from '../shared/http/html-page.ts';
import { providerOf } from '../shared/providers/index.ts';
import type { FlowResult } from '../shared/use-cases/authorization/complete-authorization.ts';
import { CALLBACK_SCRIPT } from './callback-script.ts';

/** The small page that ends a flow: says what happened and whose move it is, tells its opener, closes itself. */
export function resultPage(result: FlowResult, baseUrl: string, nonce: string, requestId: string): GatewayResponse {
  const message =
    result.kind === 'connected'
      ? { type: 'nango_oauth_callback_success' }
      : { type: 'nango_oauth_callback_error', payload: { message: result.message, errorType: result.errorType } };
  const script = html`const MESSAGE = ${scriptLiteral(message)}; const TARGET = ${scriptLiteral(new URL(baseUrl).origin)};${CALLBACK_SCRIPT}`;
  return result.kind === 'connected'
    ? htmlPage({ status: 200, title: 'Connected', nonce, requestId, script, body: connectedBody(result) })
    : htmlPage({ status: result.status, title: 'Not connected', nonce, requestId, script, body: failedBody(result, requestId) });
}

function connectedBody(result: Extract<FlowResult, { kind: 'connected' }>): SafeHtml {
  const { connection, missingScopes } = result;
  const provider = providerOf(connection.provider);
  const account = connection.providerAccount?.email;
  return html`<h1>Connected</h1>
<p role="status" class="good">${provider.displayName}${account ? html` of <strong>${account}</strong>` : html``} is connected.</p>
${
  missingScopes.length === 0
    ? html``
    : html`<p>Not granted, so the app cannot use it:</p><ul>${missingScopes.map(
        (scope) => html`<li>${provider.scopes.find((known) => known.scope === scope)?.meaning ?? scope}</li>`,
      )}</ul>`
}
${closing(result.returnUrl)}`;
}

function failedBody(result: Extract<FlowResult, { kind: 'failed' }>, requestId: string): SafeHtml {
  return html`<h1>Not connected</h1>
<p role="alert" class="bad">${result.message}</p>
${result.detail === undefined ? html`` : html`<p class="soft">Google said: <code>${result.detail.slice(0, 300)}</code></p>`}
${closing(result.returnUrl)}
<p class="soft">Request <code>${requestId}</code></p>`;
}

function closing(returnUrl: string | undefined): SafeHtml {
  return returnUrl === undefined
    ? html`<p class="soft">You can close this page.</p>`
    : html`<p><a class="button" href="${returnUrl}">Back to the app</a></p>`;
}
