import type { FlowFailureWords } from '../languages/failure-text.rules.ts';
import { FLOW_FAILURE_TEXTS, type FlowFailureKind } from '../languages/flow-failures.rules.ts';
import { type AuthorizationServer, type FlowText, named } from '../providers/authorization-server.rules.ts';

interface FlowFailureDefinition {
  readonly status: FlowStatus;
  readonly errorType: FlowErrorType;
  /** Whether a retry by the same person can succeed. */
  readonly canRetry: boolean;
}

/** Error type, status and retry of each failure; its texts are with those of the other languages. */
export const FLOW_FAILURES: Readonly<Record<FlowFailureKind, FlowFailureDefinition>> = {
  malformed_answer: { status: 400, errorType: 'url_param_err', canRetry: true },
  unknown_state: { status: 400, errorType: 'state_err', canRetry: true },
  other_browser: { status: 403, errorType: 'state_cookie_err', canRetry: true },
  timed_out: { status: 400, errorType: 'state_err', canRetry: true },
  session_ended: { status: 400, errorType: 'state_err', canRetry: false },
  session_used: { status: 409, errorType: 'state_err', canRetry: false },
  other_issuer: { status: 400, errorType: 'callback_err', canRetry: true },
  refused: { status: 400, errorType: 'callback_err', canRetry: true },
  pick_cancelled: { status: 400, errorType: 'callback_err', canRetry: true },
  admin_blocked: { status: 400, errorType: 'callback_err', canRetry: true },
  account_restricted: { status: 400, errorType: 'token_err', canRetry: true },
  account_protected: { status: 400, errorType: 'callback_err', canRetry: true },
  organization_only: { status: 400, errorType: 'callback_err', canRetry: true },
  sign_in_needed: { status: 400, errorType: 'callback_err', canRetry: true },
  provider_trouble: { status: 400, errorType: 'callback_err', canRetry: true },
  app_misconfigured: { status: 400, errorType: 'callback_err', canRetry: false },
  app_disabled: { status: 400, errorType: 'callback_err', canRetry: false },
  provider_refused: { status: 400, errorType: 'callback_err', canRetry: true },
  integration_gone: { status: 400, errorType: 'unknown_config_key', canRetry: false },
  integration_changed: { status: 400, errorType: 'callback_err', canRetry: true },
  credentials_missing: { status: 400, errorType: 'callback_err', canRetry: false },
  client_rejected: { status: 400, errorType: 'token_err', canRetry: false },
  code_rejected: { status: 400, errorType: 'token_err', canRetry: true },
  provider_unreachable: { status: 502, errorType: 'token_err', canRetry: true },
  no_refresh_token: { status: 400, errorType: 'token_err', canRetry: true },
  only_sign_in: { status: 400, errorType: 'callback_err', canRetry: true },
  account_unproven: { status: 400, errorType: 'token_err', canRetry: true },
  wrong_account: { status: 409, errorType: 'callback_err', canRetry: true },
  wrong_domain: { status: 403, errorType: 'callback_err', canRetry: true },
  connection_deleted: { status: 409, errorType: 'callback_err', canRetry: false },
  connection_ended: { status: 409, errorType: 'callback_err', canRetry: false },
  changed_meanwhile: { status: 409, errorType: 'callback_err', canRetry: true },
  internal: { status: 500, errorType: 'unknown_err', canRetry: true },
};

export type { FlowFailureKind };

/** Error types of failed flows, as in front ends of a compatible peer. */
export type FlowErrorType =
  | 'url_param_err'
  | 'state_err'
  | 'state_cookie_err'
  | 'callback_err'
  | 'token_err'
  | 'unknown_config_key'
  | 'unknown_err';

/** Status codes of the page that ends a flow. */
export type FlowStatus = 400 | 403 | 409 | 500 | 502;

export interface FlowFailureDetails {
  /** The provider's own words, to be shown escaped. */
  readonly providerSaid?: string | undefined;
  /** The gateway's finding, for support. */
  readonly detail?: string | undefined;
  /** Replaces the kind's text where it needs names. */
  readonly text?: FlowText | undefined;
  /** The names in that text, for translation. */
  readonly words?: FlowFailureWords | undefined;
  readonly cause?: unknown;
}

/** A flow that cannot end in a connection: what happened, who has to act, and whether a retry can help. */
export class FlowFailure extends Error {
  readonly kind: FlowFailureKind;
  readonly status: FlowStatus;
  readonly errorType: FlowErrorType;
  readonly text: FlowText;
  readonly words: FlowFailureWords;
  readonly canRetry: boolean;
  readonly providerSaid: string | undefined;
  readonly detail: string | undefined;
  /** The requested server; undefined where no flow is known. */
  readonly server: AuthorizationServer | undefined;
  readonly #details: FlowFailureDetails;

  constructor(kind: FlowFailureKind, details: FlowFailureDetails = {}, server?: AuthorizationServer) {
    const definition = FLOW_FAILURES[kind];
    const text = inWords(details.text ?? server?.flowTexts?.[kind] ?? FLOW_FAILURE_TEXTS[kind], server);
    super(`${text.happened} ${text.next}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'FlowFailure';
    this.kind = kind;
    this.status = definition.status;
    this.errorType = definition.errorType;
    this.text = text;
    this.words = details.words ?? {};
    this.canRetry = definition.canRetry;
    this.providerSaid = details.providerSaid;
    this.detail = details.detail;
    this.server = server;
    this.#details = details;
  }

  /** The same failure with the provider's name. */
  at(server: AuthorizationServer | undefined): FlowFailure {
    return server === undefined ? this : new FlowFailure(this.kind, this.#details, server);
  }
}

function inWords({ title, happened, next }: FlowText, server: AuthorizationServer | undefined): FlowText {
  const words = (sentence: string): string => named(sentence, server ?? { displayName: 'the provider' });
  return { title: words(title), happened: words(happened), next: words(next) };
}
