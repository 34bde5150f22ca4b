import type { AboutCall } from '../gateway/approvals/about-call.rules.ts';
import type { Approval, ApprovalState } from '../gateway/approvals/approval.rules.ts';
import type { Brand } from '../gateway/core/brand.ts';
import type { GatewayResponse, HeaderPairs } from '../gateway/core/http-message.ts';
import { GOOGLE_MARK, html, htmlPage, joinedHtml, type SafeHtml, statusMark } from '../gateway/http/html-page.ts';
import type { ApprovalTexts } from '../gateway/languages/approval-texts.rules.ts';
import { fillParts, LANGUAGES, type Language, numberIn, pluralForm } from '../gateway/languages/language.rules.ts';

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

/** A call that waits, for somebody who may decide. */
export interface DecidePage {
  readonly about: AboutCall;
  readonly approval: Approval;
  readonly service: string;
  readonly appName: string;
  /** E-mail address of the connection's account. */
  readonly account: string | undefined;
  readonly action: string;
  readonly note: 'changed' | undefined;
}

/** The page on which a person sees what will happen to what, and decides. */
export function decidePage(frame: PageFrame, page: DecidePage): GatewayResponse {
  const { texts } = frame;
  const { about, approval } = page;
  const words = texts.page;
  const row = (name: string, value: string | undefined) =>
    value === undefined ? html`` : html`<dt>${name}</dt><dd>${value}</dd>`;
  const when = (ms: number) =>
    new Intl.DateTimeFormat(LANGUAGES[frame.language].lang, {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'UTC',
    }).format(ms);
  return framed(
    frame,
    200,
    words.title,
    html`<h1>${words.title}</h1>
${page.note === undefined ? html`` : html`<div class="note bad" role="alert"><p>${words.changed}</p></div>`}
<p>${said(words.asks, { app: html`<strong>${page.appName}</strong>`, service: page.service })}</p>
<p class="what">${sentence(texts, about)}</p>
${remarks(frame, about).map((one) => html`<p>${one}</p>`)}
${about.said === undefined ? html`` : html`<div class="note"><p class="soft">${words.said}</p><p><q>${about.said}</q></p></div>`}
${warning(texts, about)}
<dl>
${row(words.owner, about.owner)}
${row(words.account, page.account)}
${row(words.asked, `${when(approval.requestedAtMs)} UTC`)}
${row(words.until, `${when(approval.expiresAtMs)} UTC`)}
</dl>
<form method="post" action="${page.action}">
<input type="hidden" name="seen" value="${about.seen ?? ''}">
<div class="actions">
<button type="submit" name="decision" value="approve">${words.approve}</button>
<button type="submit" class="quiet" name="decision" value="refuse">${words.refuse}</button>
</div>
</form>
<p class="soft small">${words.once}${about.seen?.startsWith('version:') === true ? html` ${texts.lastMoment}` : html``}</p>`,
  );
}

/** The page for somebody who has not shown who they are: what waits is not said yet. */
export function signInPage(
  frame: PageFrame,
  page: {
    readonly service: string;
    readonly appName: string;
    /** Undefined where end users may not decide. */
    readonly signInAction: string | undefined;
    readonly formAction: readonly string[];
    readonly problem: 'otherAccount' | 'signInFailed' | undefined;
  },
): GatewayResponse {
  const words = frame.texts.page;
  const { signInAction, problem } = page;
  const body = html`<h1>${words.title}</h1>
${problem === undefined ? html`` : html`<div class="note bad" role="alert"><p>${words[problem]}</p></div>`}
<p>${said(words.waits, { app: html`<strong>${page.appName}</strong>`, service: page.service })}</p>
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
  const words = frame.texts.page;
  return framed(
    frame,
    403,
    words.goneTitle,
    html`<div class="mark">${statusMark('bad')}<h1>${words.goneTitle}</h1></div>
<p role="alert">${words.foreign}</p>`,
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

function said(text: string, words: Readonly<Record<string, string | SafeHtml>>): SafeHtml {
  return joinedHtml(fillParts(text, words));
}

/** What the call does, in one sentence. */
function sentence(texts: ApprovalTexts, about: AboutCall): SafeHtml {
  const { name, who = texts.someone } = about;
  const named =
    name === undefined
      ? ''
      : name.isId
        ? said(texts.thisObject, { id: html`<code>${name.text}</code>` })
        : html`<strong>${name.text}</strong>`;
  return said(texts.sentences[about.sentence], {
    name: named,
    new: html`<q>${about.new ?? ''}</q>`,
    who: html`<strong>${who}</strong>`,
    role: roleIn(texts, about.role),
    method: html`<code>${about.methodId}</code>`,
  });
}

function roleIn({ roles }: ApprovalTexts, role: string | undefined): string {
  const known: Readonly<Record<string, string>> = roles;
  return role !== undefined && Object.hasOwn(known, role) ? (known[role] ?? roles.unknown) : roles.unknown;
}

/** What else matters. */
function remarks({ texts, language }: PageFrame, about: AboutCall): readonly SafeHtml[] {
  const { guests, mails, who = texts.someone } = about;
  const isNew = about.new !== undefined && !texts.sentences[about.sentence].includes('{new}');
  return [
    ...(isNew ? [said(texts.newName, { new: html`<q>${about.new}</q>` })] : []),
    ...(guests === undefined
      ? []
      : [
          html`${guests === 0 ? texts.guestsGone : said(pluralForm(language, texts.guests, guests), { count: numberIn(language, guests) })}`,
        ]),
    ...(mails === undefined
      ? []
      : [said(mails === 'guests' ? texts.mailsGuests : texts.mailsPerson, { who: html`<strong>${who}</strong>` })]),
  ];
}

function warning(texts: ApprovalTexts, { warning: kind }: AboutCall): SafeHtml {
  if (kind === undefined) return html``;
  return html`<div class="note bad" role="alert"><p>${kind === 'is_gone' ? texts.isGone : texts.cannotName}</p></div>`;
}
