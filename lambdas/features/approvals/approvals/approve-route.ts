import type { Brand } from '../../../gateway/core/brand.ts';
import { doorJson, type InnerDoor } from '../../../gateway/core/door.ts';
import { GatewayError } from '../../../gateway/core/errors.ts';
import { type GatewayRequest, type GatewayResponse, headerValue } from '../../../gateway/core/http-message.ts';
import { JSON_BODY_MAX_BYTES } from '../../../gateway/core/limits.ts';
import type { Random } from '../../../gateway/core/ports.ts';
import { setBindingCookie } from '../../../gateway/http/front-door.ts';
import {
  acceptedLanguage,
  LANGUAGES,
  type Language,
  languageOf,
  readTexts,
} from '../../../gateway/languages/language.rules.ts';
import { APPROVE_HEADERS, type ApproveAnswer, type ApproveQuestion, type ApproveView } from '../approve-view.rules.ts';
import { inWords } from '../in-words.ts';
import type { AllApprovalTexts } from '../languages/approval-texts.rules.ts';
import { decidePage, foreignPage, otherBrowserPage, type PageFrame, signInPage, statePage } from './approve-page.ts';

export interface ApproveDependencies {
  readonly door: InnerDoor;
  readonly random: Random;
  readonly brand: () => Promise<Brand>;
  readonly texts: AllApprovalTexts;
  readonly builtText: Parameters<typeof readTexts>[0];
}

/**
 * `/approve/…`: what a person sees of a call that waits. The proxy judges the address, the browser and the decision; here is what its
 * answer looks like in the person's language.
 *
 * @param withinMs milliseconds until the proxy's answer must be there
 * @throws RefusedAtDoor for refusals of the proxy; GatewayError `request_too_large`, `service_unavailable`, `upstream_timeout`
 */
export async function approveRoute(
  deps: ApproveDependencies,
  request: GatewayRequest,
  withinMs: number,
): Promise<GatewayResponse> {
  const { requestId } = request;
  const named = request.query.find(([name]) => name === 'language')?.[1];
  const language = languageOf(named ?? '') ?? acceptedLanguage(headerValue(request.headers, 'accept-language'));
  const input = questionOf(request, language);
  const [frame, answer] = await Promise.all([
    frameOf(deps, language, requestId),
    deps.door({ operation: 'page', input, requestId, withinMs }),
  ]);
  // The proxy is another function of the same release.
  const { view, cookie } = doorJson(answer) as ApproveAnswer;
  return pageOf(cookie === undefined ? frame : { ...frame, headers: [['set-cookie', setBindingCookie(cookie)]] }, view);
}

function questionOf({ method, rawPath, query, headers, body }: GatewayRequest, language: Language): ApproveQuestion {
  if (body !== undefined && body.length > JSON_BODY_MAX_BYTES) {
    throw new GatewayError('request_too_large', 'This form is too large.');
  }
  return {
    ...{ method, rawPath, query },
    headers: headers.filter(([name]) => APPROVE_HEADERS.includes(name.toLowerCase())),
    form: Buffer.from(body ?? new Uint8Array()).toString('utf8'),
    language: LANGUAGES[language].lang,
  };
}

async function frameOf(deps: ApproveDependencies, language: Language, requestId: string): Promise<PageFrame> {
  const [brand, { common }] = await Promise.all([deps.brand(), readTexts(deps.builtText, language)]);
  return {
    language,
    texts: deps.texts[language],
    continueWithGoogle: common.continueWithGoogle,
    brand,
    nonce: Buffer.from(deps.random.bytes(18)).toString('base64url'),
    requestId,
  };
}

function pageOf(frame: PageFrame, view: ApproveView): GatewayResponse {
  switch (view.kind) {
    case 'state':
      return statePage(frame, view.state);
    case 'decide':
      return decidePage(frame, { ...view, words: inWords(frame.texts, frame.language, view.about, view.request) });
    case 'sign_in':
      return signInPage(frame, view);
    case 'foreign':
      return foreignPage(frame);
    case 'other_browser':
      return otherBrowserPage(frame);
    case 'redirect':
      return redirect(view.location, frame);
  }
}

function redirect(location: string, { requestId, headers = [] }: PageFrame): GatewayResponse {
  return {
    status: 303,
    headers: [
      ['location', location],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-request-id', requestId],
      ...headers,
    ],
    body: undefined,
  };
}
