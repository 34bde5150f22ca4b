import type { FlowFailure } from '../gateway/authorization/flow-failure.ts';
import { isAllowedReturnUrl } from '../gateway/authorization/return-url.rules.ts';
import type { Brand } from '../gateway/core/brand.ts';
import type { GatewayResponse } from '../gateway/core/http-message.ts';
import { html, htmlPage, joinedHtml, type SafeHtml, statusMark } from '../gateway/http/html-page.ts';
import { type FlowFailureText, failureMessage, failureText } from '../gateway/languages/failure-text.rules.ts';
import {
  fill,
  fillParts,
  LANGUAGES,
  type Language,
  numberIn,
  pluralForm,
  type Texts,
} from '../gateway/languages/language.rules.ts';
import { scopeInWords } from '../gateway/languages/words.rules.ts';
import { PROVIDERS } from '../gateway/providers/catalogue.ts';
import type { ResultConfig } from './browser/result-page.ts';
import type { FlowResult } from './complete-authorization.ts';

/** Options of the page. */
export interface ResultPageOptions {
  readonly language: Language;
  readonly texts: Texts;
  readonly brand: Brand | undefined;
  readonly baseUrl: string;
  /** The deployment's list: a session's return URL counts only while it is listed. */
  readonly connectReturnUrls: readonly string[];
  /** The page's script, as built. */
  readonly script: string;
  readonly nonce: string;
  readonly requestId: string;
}

/** The small page that ends a flow: shows what happened and what to do next, notifies its opener, closes itself. */
export function resultPage(result: FlowResult, options: ResultPageOptions): GatewayResponse {
  const { nonce, requestId, baseUrl, language, brand } = options;
  const allowed =
    result.returnUrl !== undefined && isAllowedReturnUrl(result.returnUrl, options.connectReturnUrls)
      ? result.returnUrl
      : undefined;
  const handle = result.kind === 'connected' ? result.confirmation?.handle : undefined;
  const returnUrl = allowed === undefined || handle === undefined ? allowed : withHandle(allowed, handle);
  const canRetry = result.canStartAgain && (result.kind === 'connected' || result.failure.canRetry);
  const config: ResultConfig = {
    baseUrl,
    message: messageOf(result, options),
    targetOrigin: result.openerOrigin ?? new URL(baseUrl).origin,
    isDone: result.kind === 'connected' && result.missingScopes.length === 0,
    needsApp: handle !== undefined,
    mayBeOver: result.kind === 'failed' && result.failure.kind === 'unknown_state',
    retry: !canRetry ? 'none' : result.integrationId === undefined ? 'page' : 'start',
    integrationId: result.integrationId ?? null,
    returnUrl: returnUrl ?? null,
  };
  return htmlPage({
    status: result.kind === 'connected' ? 200 : result.failure.status,
    title: result.kind === 'connected' ? titleOf(result, options) : textOfFailure(result.failure, options).title,
    lang: LANGUAGES[language].lang,
    brand,
    nonce,
    requestId,
    keepsOpener: true,
    script: options.script,
    scriptConfig: config,
    body:
      result.kind === 'connected'
        ? connectedBody(result, options, returnUrl)
        : failedBody(result, options, returnUrl, canRetry),
  });
}

const NO_SERVER = { id: '', displayName: '' };

type Connected = Extract<FlowResult, { kind: 'connected' }>;
type Failed = Extract<FlowResult, { kind: 'failed' }>;
type Speech = Pick<ResultPageOptions, 'language' | 'texts'>;

/** The message to the waiting window; the handle goes to it and, in the return URL, to the app's own address (CS-15). */
function messageOf(result: FlowResult, speech: Speech): object {
  if (result.kind === 'failed') {
    const { errorType } = result.failure;
    const message = failureMessage(textOfFailure(result.failure, speech));
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

function titleOf({ confirmation, missingScopes, picked }: Connected, { language, texts: { common } }: Speech): string {
  if (picked !== undefined) return pluralForm(language, common.fileSelected, picked.count);
  if (confirmation !== undefined) return common.oneStepLeft;
  return missingScopes.length === 0 ? common.connected : common.connectedPartly;
}

/** Failures carry their English text; a provider may override it. Where no flow is known, no sentence names a provider. */
function textOfFailure({ kind, words, text, server }: FlowFailure, { language, texts }: Speech): FlowFailureText {
  return language === 'en' ? text : failureText(texts, kind, server ?? NO_SERVER, words);
}

/** A text with its placeholders filled: by markup, or by escaped text. */
function filled(text: string, words: Readonly<Record<string, string | SafeHtml>>): SafeHtml {
  return joinedHtml(fillParts(text, words));
}

function connectedBody(result: Connected, speech: Speech, returnUrl: string | undefined): SafeHtml {
  const { missingScopes, confirmation } = result;
  const { common, result: page, services } = speech.texts;
  if (result.picked !== undefined) return pickedBody(result.picked, speech, returnUrl);
  const provider = PROVIDERS[result.provider];
  const account = result.account?.email ?? undefined;
  const isOpen = confirmation !== undefined;
  const said =
    account === undefined
      ? isOpen
        ? page.serviceReady
        : page.serviceConnected
      : isOpen
        ? page.accountReady
        : page.accountConnected;
  const lacks =
    missingScopes.length === 0
      ? html``
      : html`<p>${isOpen ? page.willNotBeAble : common.cannot}</p>
<ul>${missingScopes.map((scope) => html`<li>${scopeInWords(speech.texts, provider, scope)}</li>`)}</ul>
${retryRow(common.askAgain, !isOpen, speech)}`;
  const label = isOpen ? page.goOnInApp : missingScopes.length === 0 ? common.backToApp : common.leaveItSo;
  const words = {
    service: services[result.provider] ?? provider.displayName,
    account: html`<strong>${account}</strong>`,
  };
  return html`<div id="outcome"><div class="mark">${statusMark('good')}<h1>${titleOf(result, speech)}</h1></div>
<p role="status">${filled(said, words)}</p>
${lacks}
${closing(returnUrl, label, speech)}</div>
${isOpen ? stranded(speech) : html``}`;
}

function pickedBody(
  { count, unconfirmed, email }: NonNullable<Connected['picked']>,
  speech: Speech,
  returnUrl: string | undefined,
): SafeHtml {
  const { language, texts } = speech;
  const { common, result: page } = texts;
  const [unknown, known] =
    unconfirmed > 0 ? [page.filesChosen, page.filesChosenOf] : [page.filesUsable, page.filesUsableOf];
  const said = pluralForm(language, email === null ? unknown : known, count);
  const words = { count: numberIn(language, count), account: html`<strong>${email ?? ''}</strong>` };
  const lost =
    unconfirmed === count
      ? pluralForm(language, page.noneOpened, count)
      : filled(page.someNotOpened, { lost: numberIn(language, unconfirmed) });
  return html`<div class="mark">${statusMark('good')}<h1>${pluralForm(language, common.fileSelected, count)}</h1></div>
<p role="status">${filled(said, words)}</p>
${unconfirmed === 0 ? html`` : html`<p class="note">${lost}</p>`}
${closing(returnUrl, common.backToApp, speech)}`;
}

/** Shown where neither a window nor a return URL receives the handle. */
function stranded({ texts: { result: page } }: Speech): SafeHtml {
  return html`<div id="stranded" hidden><div class="mark">${statusMark('bad')}<h1>${page.stranded}</h1></div>
<div class="note bad" role="alert"><p>${page.strandedHappened}</p><p><strong>${page.strandedNext}</strong></p></div></div>`;
}

function failedBody(
  { failure }: Failed,
  { language, texts, requestId }: ResultPageOptions,
  returnUrl: string | undefined,
  canRetry: boolean,
): SafeHtml {
  const { common, result: page } = texts;
  const speech = { language, texts };
  const { providerSaid, detail, server } = failure;
  const text = textOfFailure(failure, speech);
  if (failure.kind === 'pick_cancelled') {
    // Not an error: selecting nothing may be intended.
    return html`<h1>${text.title}</h1>
<div class="note" role="status"><p>${text.happened}</p><p><strong>${text.next}</strong></p></div>
${retryRow(common.selectFiles, canRetry, speech)}
${closing(returnUrl, common.backToApp, speech)}`;
  }
  const quoted = (line: string, words: string | undefined) =>
    words === undefined
      ? html``
      : html`<p class="soft">${filled(line, { words: html`<code lang="en">${words}</code>` })}</p>`;
  return html`<div class="mark">${statusMark('bad')}<h1>${text.title}</h1></div>
<div class="note bad" role="alert"><p>${text.happened}</p><p><strong>${text.next}</strong></p></div>
${quoted(fill(page.providerSaid, { provider: server?.displayName ?? '', words: '{words}' }), providerSaid)}
${quoted(page.detail, detail)}
${retryRow(common.tryAgain, canRetry, speech)}
${closing(returnUrl, common.backToApp, speech)}
<p class="soft small">${filled(common.requestNumber, { id: html`<code>${requestId}</code>` })}</p>`;
}

function retryRow(label: string, canRetry: boolean, { texts }: Speech): SafeHtml {
  if (!canRetry) return html``;
  return html`<div class="actions" id="retry-row"><button type="button" id="retry">${label}</button></div>
<p id="no-retry" class="soft" hidden>${texts.result.openLinkAgain}</p>`;
}

function closing(returnUrl: string | undefined, label: string, { texts }: Speech): SafeHtml {
  return returnUrl === undefined
    ? html`<p class="soft">${texts.common.canClose}</p>`
    : html`<div class="actions"><a class="button quiet" href="${returnUrl}">${label}</a></div>`;
}
