/** One problem of a request: where it is and what to do. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** One explanation of a dead grant. */
export interface LikelyCause {
  readonly cause: string;
  /** Share of belief, 0 to 1. */
  readonly likelihood: number;
  /** The party that can fix it: `end_user`, `developer` or `workspace_admin`. */
  readonly who: string;
  readonly explanation: string;
  readonly remedy: string;
}

/** Why a connection cannot be used and who can fix it. */
export interface ConnectionDiagnosis {
  readonly status: string;
  /** The most likely cause, such as `user_revoked`; a guess unless `certain`. */
  readonly cause: string;
  /** Whether Google or the facts on record name the cause. */
  readonly certain: boolean;
  /** One sentence; begins with "Probably:" unless the cause is certain. Empty where nothing is known. */
  readonly whatHappened: string;
  /** Whether the same grant may work again without the user: ask with `connections.refresh`. */
  readonly canBeCheckedAgain: boolean;
  readonly likelyCauses: readonly LikelyCause[];
  readonly remedy: string;
  /** ISO 8601 UTC. */
  readonly since: string | undefined;
  /** Google's signed statement that proves the cause; undefined where none does. */
  readonly evidence: DeathEvidence | undefined;
}

/** A security event of Google's that explains why a grant ended. */
export interface DeathEvidence {
  /** Such as `account-disabled`. */
  readonly type: string;
  /** Google's word for why, such as `hijacking`. */
  readonly reason: string | undefined;
  /** ISO 8601, by Google's clock. */
  readonly statedAt: string;
}

/** Whether Google may have acted on a call: `no` when nothing was sent or it was a read, `unknown` when the answer was lost. */
export type Applied = 'no' | 'unknown';

/** A call that waits for a person. */
export interface WaitingApproval {
  /** The id for `approvals.get`. */
  readonly id: string;
  /** Page where a person decides. */
  readonly url: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Facts about a failure of the gateway. */
export interface GatewayErrorFacts {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly problems: readonly Problem[];
  readonly connection: ConnectionDiagnosis | undefined;
  readonly retryAfterSec: number | undefined;
  readonly approval?: WaitingApproval | undefined;
  readonly applied: Applied | undefined;
  readonly mayHaveBeenApplied: boolean;
}

/** The gateway itself refused or failed: the response has `x-gateway-error`, or is its front door's for too large a body. */
export class GatewayError extends Error implements GatewayErrorFacts {
  override readonly name = 'GatewayError';
  /** Stable code, such as `unknown_connection` or `reauthorization_required`. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** Find the request in the gateway's log by this. */
  readonly requestId: string | undefined;
  /** Everything wrong with the request at once; empty when the code says it all. */
  readonly problems: readonly Problem[];
  /** Present when the connection has to be authorized again. */
  readonly connection: ConnectionDiagnosis | undefined;
  /** Seconds after which the same call may succeed. */
  readonly retryAfterSec: number | undefined;
  /** The approval that the call waits for, where a person has to approve it. */
  readonly approval: WaitingApproval | undefined;
  /** Whether its call to Google was applied; undefined where the gateway does not state it. */
  readonly applied: Applied | undefined;
  /** Whether a write may have reached Google nevertheless; false for reads. */
  readonly mayHaveBeenApplied: boolean;

  constructor(message: string, facts: GatewayErrorFacts) {
    super(message);
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.problems = facts.problems;
    this.connection = facts.connection;
    this.retryAfterSec = facts.retryAfterSec;
    this.approval = facts.approval;
    this.applied = facts.applied;
    this.mayHaveBeenApplied = facts.mayHaveBeenApplied;
  }
}

/** Largest request of the gateway: about 4.5 MB (its README, "Limits"). */
export const MAX_BODY_BYTES = 4_500_000;

/** A body that no request can carry. @param requestId undefined when nothing was sent */
export function requestTooLarge(requestId: string | undefined): GatewayError {
  const message =
    'A request body may have about 4.5 MB; this one has more. Send larger files with uploadFile, which sends them in chunks.';
  return new GatewayError(`The gateway refused the call (request_too_large): ${message}`, {
    code: 'request_too_large',
    status: 413,
    requestId,
    problems: [],
    connection: undefined,
    retryAfterSec: undefined,
    applied: undefined,
    mayHaveBeenApplied: false,
  });
}

/** Facts about a failure of the provider. */
export interface ProviderErrorFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSec: number | undefined;
}

/** Google answered with a status that is neither 2xx, 304 nor an upload's 308. */
export class ProviderError extends Error implements ProviderErrorFacts {
  override readonly name = 'ProviderError';
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or the text when it is not JSON; undefined without a body. */
  readonly body: unknown;
  /** Google's first `error.errors[].reason`, such as `rateLimitExceeded`. */
  readonly reason: string | undefined;
  /** Find the request in the gateway's log by this. */
  readonly requestId: string | undefined;
  /** Seconds after which the same call may succeed, where Google states them. */
  readonly retryAfterSec: number | undefined;

  constructor(message: string, facts: ProviderErrorFacts) {
    super(message);
    this.status = facts.status;
    this.headers = facts.headers;
    this.body = facts.body;
    this.reason = facts.reason;
    this.requestId = facts.requestId;
    this.retryAfterSec = facts.retryAfterSec;
  }
}

/** No complete answer arrived: the gateway could not be reached, or the connection broke. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** Whether a write may have been applied; false for reads and for requests that never left. */
  readonly mayHaveBeenApplied: boolean;

  constructor(message: string, mayHaveBeenApplied: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.mayHaveBeenApplied = mayHaveBeenApplied;
  }
}

/** The answer did not arrive within `timeoutMs`. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly timeoutMs: number;
  /** Whether a write may have been applied; false for reads. */
  readonly mayHaveBeenApplied: boolean;

  constructor(timeoutMs: number, mayHaveBeenApplied: boolean) {
    super(`No answer within ${timeoutMs} ms.`);
    this.timeoutMs = timeoutMs;
    this.mayHaveBeenApplied = mayHaveBeenApplied;
  }
}

/** An answer that is not the gateway's: broken JSON, a member that is missing, or a failure of something in front of it. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  /** HTTP status, where the answer is one that failed. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** An upload that cannot continue; `cause` holds the answer that ended it, where there is one. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
}
