import { isAllowedReturnUrl } from '../gateway/authorization/return-url.rules.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { html, htmlPage, type SafeHtml, statusMark } from '../gateway/http/html-page.ts';
import { providerOf } from '../gateway/providers/index.ts';
import { canonicalScope } from '../gateway/providers/scopes.rules.ts';
import type { ResultConfig } from './browser/result-page.ts';
import type { FlowResult } from './complete-authorization.ts';

/** What the page is made for. */
export interface ResultPageOptions {
  readonly baseUrl: string;
  /** The deployment's list: a session's return URL counts only while it is on it. */
  readonly connectReturnUrls: readonly string[];
  /** The page's script, as built. */
  readonly script: string;
  readonly nonce: string;
  readonly requestId: string;
}

/** The small page that ends a flow: says what happened and whose move it is, tells its opener, closes itself. */
export function resultPage(result: FlowResult, options: ResultPageOptions): GatewayResponse {
  const { nonce, requestId, baseUrl } = options;
  const allowed =
    result.returnUrl !== undefined && isAllowedReturnUrl(result.returnUrl, options.connectReturnUrls)
      ? result.returnUrl
      : undefined;
  const handle = result.kind === 'connected' ? result.confirmation?.handle : undefined;
  const returnUrl = allowed === undefined || handle === undefined ? allowed : withHandle(allowed, handle);
  const canRetry = result.canStartAgain && (result.kind === 'connected' || result.failure.canRetry);
  const config: ResultConfig = {
    baseUrl,
    message: messageOf(result),
    targetOrigin: result.openerOrigin ?? new URL(baseUrl).origin,
    isDone: result.kind === 'connected' && result.missingScopes.length === 0,
    needsApp: handle !== undefined,
    retry: !canRetry ? 'none' : result.integrationId === undefined ? 'page' : 'start',
    integrationId: result.integrationId ?? null,
    returnUrl: returnUrl ?? null,
  };
  return htmlPage({
    status: result.kind === 'connected' ? 200 : result.failure.status,
    title: result.kind === 'connected' ? titleOf(result) : result.failure.text.title,
    nonce,
    requestId,
    keepsOpener: true,
    script: options.script,
    scriptConfig: config,
    body:
      result.kind === 'connected'
        ? connectedBody(result, returnUrl)
        : failedBody(result, returnUrl, canRetry, requestId),
  });
}

type Connected = Extract<FlowResult, { kind: 'connected' }>;

/** What the window that waits is told; the handle goes to it and, in the return URL, to the app's own address (CS-15). */
function messageOf(result: FlowResult): object {
  if (result.kind === 'failed') {
    const { message, errorType } = result.failure;
    return { type: 'nango_oauth_callback_error', payload: { message, errorType } };
  }
  const { confirmation } = result;
  return {
    type: 'nango_oauth_callback_success',
    ...(confirmation === undefined ? {} : { payload: { confirmationHandle: confirmation.handle } }),
  };
}

/** The return URL with the handle, which the app's backend reads and confirms. */
function withHandle(returnUrl: string, handle: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('confirmation_handle', handle);
  return url.href;
}

function titleOf({ confirmation, missingScopes, picked }: Connected): string {
  if (picked !== undefined) return picked.count === 1 ? 'File selected' : 'Files selected';
  if (confirmation !== undefined) return 'One step left, in the app';
  return missingScopes.length === 0 ? 'Connected' : 'Connected, with less access';
}

function connectedBody(result: Connected, returnUrl: string | undefined): SafeHtml {
  const { missingScopes, confirmation } = result;
  if (result.picked !== undefined) return pickedBody(result.picked, returnUrl);
  const provider = providerOf(result.provider);
  const account = result.account?.email;
  const isOpen = confirmation !== undefined;
  const meaning = (scope: string) =>
    provider.scopes.find((known) => canonicalScope(known.scope) === scope)?.meaning ?? scope;
  const lacks =
    missingScopes.length === 0
      ? html``
      : html`<p>You did not allow everything, so the app ${isOpen ? 'will not be able to' : 'cannot'}:</p>
<ul>${missingScopes.map((scope) => html`<li>${meaning(scope)}</li>`)}</ul>
${retryRow('Ask again', !isOpen)}`;
  const label = isOpen ? 'Go on in the app' : missingScopes.length === 0 ? 'Back to the app' : 'Leave it so';
  return html`<div id="outcome"><div class="mark">${statusMark('good')}<h1>${titleOf(result)}</h1></div>
<p role="status">${provider.displayName}${account ? html` of <strong>${account}</strong>` : html``} ${isOpen ? 'is ready. The app connects it when you are back there.' : 'is connected.'}</p>
${lacks}
${closing(returnUrl, label)}</div>
${isOpen ? NOTHING_CONNECTED : html``}`;
}

function pickedBody(picked: NonNullable<Connected['picked']>, returnUrl: string | undefined): SafeHtml {
  const { count, unconfirmed, email } = picked;
  const lost = unconfirmed === count ? (count === 1 ? 'it' : 'them') : `${unconfirmed} of them`;
  const said =
    unconfirmed > 0
      ? `You selected ${count === 1 ? 'a file' : `${count} files`}`
      : `The app can now work with ${count === 1 ? 'the file' : `the ${count} files`} you selected`;
  return html`<div class="mark">${statusMark('good')}<h1>${count === 1 ? 'File selected' : 'Files selected'}</h1></div>
<p role="status">${said}${email === null ? html`` : html` in the Drive of <strong>${email}</strong>`}.</p>
${unconfirmed === 0 ? html`` : html`<p class="note">The app could not open ${lost}. It was told which.</p>`}
${closing(returnUrl, 'Back to the app')}`;
}

/** Shown where neither a window nor an address of the app takes the handle. */
const NOTHING_CONNECTED = html`<div id="stranded" hidden><div class="mark">${statusMark('bad')}<h1>Nothing is connected</h1></div>
<div class="note bad" role="alert"><p>This page cannot reach the app, so what you allowed is not used and ends within 15 minutes.</p><p><strong>Go back to the app and start again there. If it happens again, tell its developer.</strong></p></div></div>`;

function failedBody(
  result: Extract<FlowResult, { kind: 'failed' }>,
  returnUrl: string | undefined,
  canRetry: boolean,
  requestId: string,
): SafeHtml {
  const { text, providerSaid, detail, server } = result.failure;
  if (result.failure.kind === 'pick_cancelled') {
    // Nothing went wrong: whoever selects nothing may have meant it.
    return html`<h1>${text.title}</h1>
<div class="note" role="status"><p>${text.happened}</p><p><strong>${text.next}</strong></p></div>
${retryRow('Select files', canRetry)}
${closing(returnUrl, 'Back to the app')}`;
  }
  return html`<div class="mark">${statusMark('bad')}<h1>${text.title}</h1></div>
<div class="note bad" role="alert"><p>${text.happened}</p><p><strong>${text.next}</strong></p></div>
${providerSaid === undefined ? html`` : html`<p class="soft">${server?.displayName ?? 'The provider'} said: <code>${providerSaid}</code></p>`}
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
