import { FLOW_FAILURES, type FlowFailureKind, type FlowFailureText } from './flow-failure-texts.ts';

/** Names of failed flows, as front ends of a compatible peer know them. */
export type FlowErrorType =
  | 'url_param_err'
  | 'state_err'
  | 'state_cookie_err'
  | 'callback_err'
  | 'token_err'
  | 'unknown_config_key'
  | 'unknown_err';

/** Answer codes of the page that ends a flow. */
export type FlowStatus = 400 | 403 | 409 | 500 | 502;

export interface FlowFailureDetails {
  /** The provider's own words, to be shown escaped. */
  readonly providerSaid?: string | undefined;
  /** What the gateway found, for whoever looks into it. */
  readonly detail?: string;
  /** Replaces the kind's text where it has to name something. */
  readonly text?: FlowFailureText;
  readonly cause?: unknown;
}

/** A flow that cannot end in a connection: what happened, whose move it is, and whether trying again can help. */
export class FlowFailure extends Error {
  readonly kind: FlowFailureKind;
  readonly status: FlowStatus;
  readonly errorType: FlowErrorType;
  readonly text: FlowFailureText;
  readonly canRetry: boolean;
  readonly providerSaid: string | undefined;
  readonly detail: string | undefined;

  constructor(kind: FlowFailureKind, details: FlowFailureDetails = {}) {
    const definition = FLOW_FAILURES[kind];
    const text = details.text ?? definition.text;
    super(`${text.happened} ${text.next}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'FlowFailure';
    this.kind = kind;
    this.status = definition.status;
    this.errorType = definition.errorType;
    this.text = text;
    this.canRetry = definition.canRetry;
    this.providerSaid = details.providerSaid;
    this.detail = details.detail;
  }
}
