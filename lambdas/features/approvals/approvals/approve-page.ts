import type { Brand } from '../../../gateway/core/brand.ts';
import type { GatewayResponse, HeaderPairs } from '../../../gateway/core/http-message.ts';
import { GOOGLE_MARK, html, htmlPage, joinedHtml, type SafeHtml, statusMark } from '../../../gateway/http/html-page.ts';
import { fillParts, LANGUAGES, type Language } from '../../../gateway/languages/language.rules.ts';
import type { ApprovalState } from '../approval.rules.ts';
import type { ApproveView, DecideView } from '../approve-view.rules.ts';
import type { CallInWords, FactInWords, Words } from '../in-words.ts';
import type { ApprovalTexts } from '../languages/approval-texts.rules.ts';
import { shownText } from '../shown-text.rules.ts';

/** Facts one below the other, old alongside new, and two buttons of equal weight. */
const APPROVAL_STYLE = `
.what{font-size:1.125rem}
.facts{margin:16px 0;border-top:1px solid var(--line)}
.fact{padding:10px 0;border-bottom:1px solid var(--line)}
.fact dt{margin:0;color:var(--soft)}
.fact bdi{display:block;white-space:pre-line}
.fact.risk dd{color:var(--bad);font-weight:600}
.both{display:grid;grid-template-columns:1fr 1fr;gap:12px}
.both small{display:block;color:var(--soft);font-weight:400}
pre{margin:8px 0;padding:12px;overflow-x:auto;border:1px solid var(--line);border-radius:12px;background:var(--note);font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace;white-space:pre-wrap}
.pair{display:grid;grid-template-columns:1fr 1fr}
.even,.even:hover:enabled{background:transparent;color:var(--ink);border:2px solid var(--soft)}
.even:only-child{grid-column:1/-1}
`;

/** What every page of approvals is made with. */
export interface PageFrame {
  readonly language: Language;
  readonly texts: ApprovalTexts;
  readonly continueWithGoogle: string;
  readonly brand: Brand;
  readonly nonce: string;
  readonly requestId: string;
  readonly headers?: HeaderPairs;
}

/** The page on which a person sees what will happen to what, and decides. */
export function decidePage(frame: PageFrame, page: DecideView & { readonly words: CallInWords }): GatewayResponse {
  const { texts } = frame;
  const { words: call } = page;
  const words = texts.page;
  const when = (ms: number) =>
    `${new Intl.DateTimeFormat(LANGUAGES[frame.language].lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(ms)} UTC`;
  return framed(
    frame,
    200,
    words.title,
    html`<h1>${words.title}</h1>
${page.note === undefined ? html`` : html`<div class="note bad" role="alert"><p>${words.changed}</p></div>`}
<p>${filled(words.asks, { app: html`<strong>${shownText(page.appName)}</strong>`, service: page.service })}</p>
<p class="what">${sentence(call.sentence)}</p>
${[...call.risks, ...(call.warning === undefined ? [] : [call.warning])].map((one) => html`<div class="note bad" role="note"><p>${one}</p></div>`)}
<dl class="facts">
${call.facts.map((one) => factRow(frame, one))}
${call.mails === undefined ? html`` : html`<div class="fact"><dd>${call.mails}</dd></div>`}
${row(texts.labels.account, page.account === undefined ? undefined : shownText(page.account))}
${row(words.asked, when(page.requestedAtMs))}
${row(words.until, when(page.expiresAtMs))}
</dl>
${requestDetails(frame, call)}
<form method="post" action="${page.action}">
<input type="hidden" name="seen" value="${page.about.seen}">
<div class="actions pair">
${call.warning === undefined ? html`<button type="submit" class="even" name="decision" value="approve">${words.approve}</button>` : html``}
<button type="submit" class="even" name="decision" value="refuse">${words.refuse}</button>
</div>
</form>
<p class="soft small">${words.once}${isReadAgain(page) ? html` ${texts.lastMoment}` : html``}</p>`,
  );
}

/** Its object's version is read again before the call, and a change right after is not noticed. */
function isReadAgain({ about }: DecideView): boolean {
  return about.seen.startsWith('version:');
}

function row(name: string, value: string | undefined): SafeHtml {
  return value === undefined ? html`` : html`<div class="fact"><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** One fact: old and new side by side where both are known. */
function factRow({ texts }: PageFrame, { label, isCode, before, after, isRisk }: FactInWords): SafeHtml {
  const name = isCode ? html`<code>${label}</code>` : html`${label}`;
  const values = (all: readonly string[]) =>
    all.length === 0 ? html`<em>${texts.words.nothing}</em>` : html`${all.map((one) => html`<bdi>${one}</bdi>`)}`;
  const isRemoved = after.length === 0;
  const both =
    before === undefined && !isRemoved
      ? html`<dd>${values(after)}</dd>`
      : html`<dd class="both"><span><small>${texts.was}</small>${values(before ?? [])}</span><span><small>${texts.becomes}</small>${values(after)}</span></dd>`;
  return html`<div class="${isRisk ? 'fact risk' : 'fact'}"><dt>${name}</dt>${both}</div>`;
}

function requestDetails({ texts }: PageFrame, { request }: CallInWords): SafeHtml {
  if (request === undefined) return html``;
  const { method, target, contentType, body } = request;
  const head = `${method} ${target}${contentType === undefined ? '' : `\nContent-Type: ${contentType}`}`;
  return html`<details><summary>${texts.showRequest}</summary><pre>${head}${body === undefined ? '' : `\n\n${body}`}</pre></details>`;
}

/** The page for somebody who has not shown who they are: what waits is not said yet. */
export function signInPage(
  frame: PageFrame,
  page: Extract<ApproveView, { readonly kind: 'sign_in' }>,
): GatewayResponse {
  const words = frame.texts.page;
  const { signInAction, problem } = page;
  const body = html`<h1>${words.title}</h1>
${problem === undefined ? html`` : html`<div class="note bad" role="alert"><p>${words[problem]}</p></div>`}
<p>${filled(words.waits, { app: html`<strong>${shownText(page.appName)}</strong>`, service: page.service })}</p>
<p>${signInAction === undefined ? words.operatorsOnly : words.signInUnnamed}</p>
<div class="actions">
${
  signInAction === undefined
    ? html``
    : html`<form method="post" action="${signInAction}"><button type="submit" class="google">${GOOGLE_MARK}${frame.continueWithGoogle}</button></form>`
}
</div>`;
  return framed(frame, 200, words.title, body, page.formAction);
}

/** The page of a call that nobody has to decide on any more. */
export function statePage(frame: PageFrame, state: Exclude<ApprovalState, 'pending'> | 'gone'): GatewayResponse {
  const words = frame.texts.page;
  const shown = state === 'running' ? 'approved' : state;
  const isGood = shown === 'approved' || shown === 'done' || shown === 'refused';
  const status = state === 'gone' ? 404 : state === 'expired' ? 410 : 200;
  const title = words[`${shown}Title`];
  return framed(
    frame,
    status,
    title,
    html`<div class="mark">${statusMark(isGood ? 'good' : 'bad')}<h1>${title}</h1></div>
<p>${words[shown]}</p>`,
  );
}

/** The page for what another site sent, or a browser without the cookie. */
export function foreignPage(frame: PageFrame): GatewayResponse {
  return refusedPage(frame, frame.texts.page.foreign);
}

/** The page for a link that was opened first in another browser. */
export function otherBrowserPage(frame: PageFrame): GatewayResponse {
  return refusedPage(frame, frame.texts.page.otherBrowser);
}

function refusedPage(frame: PageFrame, text: string): GatewayResponse {
  const words = frame.texts.page;
  return framed(
    frame,
    403,
    words.goneTitle,
    html`<div class="mark">${statusMark('bad')}<h1>${words.goneTitle}</h1></div>
<p role="alert">${text}</p>`,
  );
}

function framed(
  frame: PageFrame,
  status: number,
  title: string,
  body: SafeHtml,
  formAction?: readonly string[],
): GatewayResponse {
  const { language, brand, nonce, requestId, headers } = frame;
  return htmlPage({
    style: APPROVAL_STYLE,
    status,
    title,
    lang: LANGUAGES[language].lang,
    brand,
    nonce,
    requestId,
    body,
    ...(formAction === undefined ? {} : { formAction }),
    ...(headers === undefined ? {} : { headers }),
  });
}

function filled(text: string, words: Readonly<Record<string, string | SafeHtml>>): SafeHtml {
  return joinedHtml(fillParts(text, words));
}

/** What the call does, in one sentence. */
function sentence(words: Words): SafeHtml {
  return joinedHtml(words.map((one) => (typeof one === 'string' ? one : html`<strong>${one.name}</strong>`)));
}
