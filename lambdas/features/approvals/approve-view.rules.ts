import type { HeaderPairs } from '../../gateway/core/http-message.ts';
import type { AboutCall } from './about-call.rules.ts';
import type { ApprovalState } from './approval.rules.ts';
import { isObject } from './read-call.rules.ts';
import type { ShownRequest } from './shown-request.rules.ts';

/** What a browser asks of the page of an approval, as far as the answer depends on it. */
export interface ApproveQuestion {
  readonly method: string;
  /** As sent, from `/approve/` on. */
  readonly rawPath: string;
  readonly query: HeaderPairs;
  /** The binding cookie, and what the browser reports about the page that the request comes from. */
  readonly headers: HeaderPairs;
  /** Of a form; empty for none. */
  readonly form: string;
  /** BCP 47 tag in which the provider's sign-in speaks. */
  readonly language: string;
}

/** Headers of a browser's request that the answer depends on. */
export const APPROVE_HEADERS: readonly string[] = [
  'cookie',
  'origin',
  'sec-fetch-dest',
  'sec-fetch-site',
  'sec-purpose',
];

/** @throws Error for what the function of pages does not send */
export function readApproveQuestion(input: unknown): ApproveQuestion {
  if (!isObject(input)) throw unreadable();
  const { method, rawPath, query, headers, form, language } = input;
  if (typeof method !== 'string' || typeof rawPath !== 'string' || typeof form !== 'string') throw unreadable();
  if (typeof language !== 'string' || !arePairs(query) || !arePairs(headers)) throw unreadable();
  return { method, rawPath, query, headers, form, language };
}

function arePairs(value: unknown): value is HeaderPairs {
  const isPair = (one: unknown) =>
    Array.isArray(one) && one.length === 2 && one.every((part) => typeof part === 'string');
  return Array.isArray(value) && value.every(isPair);
}

function unreadable(): Error {
  return new Error('The question cannot be read');
}

/** Why a person is asked to sign in again. */
export type SignInProblem = 'otherAccount' | 'signInFailed';

/** What the page shows, without words of any language. */
export type ApproveView =
  | { readonly kind: 'state'; readonly state: Exclude<ApprovalState, 'pending'> | 'gone' }
  | DecideView
  | {
      readonly kind: 'sign_in';
      readonly service: string;
      readonly appName: string;
      /** Address of the form that leads to the provider; undefined where end users may not decide. */
      readonly signInAction: string | undefined;
      readonly formAction: readonly string[];
      readonly problem: SignInProblem | undefined;
    }
  /** Another site sent the request, or a browser without the cookie. */
  | { readonly kind: 'foreign' }
  /** The link was opened first in another browser. */
  | { readonly kind: 'other_browser' }
  | { readonly kind: 'redirect'; readonly location: string };

/** A call that waits, for somebody who may decide. */
export interface DecideView {
  readonly kind: 'decide';
  readonly about: AboutCall;
  readonly request: ShownRequest;
  readonly requestedAtMs: number;
  readonly expiresAtMs: number;
  readonly service: string;
  readonly appName: string;
  /** E-mail address of the connection's account. */
  readonly account: string | undefined;
  /** Address of the form. */
  readonly action: string;
  readonly note: 'changed' | undefined;
}

/** The proxy's answer to a question. */
export interface ApproveAnswer {
  readonly view: ApproveView;
  /** The binding cookie that the browser is given. */
  readonly cookie?: string;
}
