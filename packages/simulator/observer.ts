import type { SchemaApi } from './api/schemas.ts';
import type { FaultAction, RequestFacts } from './state/faults.ts';
import type { RecordedRequest } from './state/recorder.ts';

/** A request as it arrived, whose credential it carried, and what a fault switch is about to do to it. */
export interface ObservedRequest extends RecordedRequest {
  readonly facts: RequestFacts;
  readonly fault: FaultAction | undefined;
}

/** The JSON resource of a successful API call, as it leaves. */
export interface AnsweredResource {
  /** `drive.files.list` */
  readonly methodId: string;
  readonly api: SchemaApi;
  /** Schema that the discovery document names; `undefined` for a method that answers nothing. */
  readonly schema: string | undefined;
  readonly resource: unknown;
}

/** A token the moment it is made, in clear. */
export interface IssuedToken {
  readonly kind: 'access' | 'refresh';
  readonly token: string;
  /** Hex. */
  readonly sha256: string;
  readonly clientId: string;
  /** Google account id of its owner. */
  readonly sub: string;
  /** Of an access token: the refresh token of its authorization. Of a rotated refresh token: the one it replaces. */
  readonly parentSha256: string | null;
}

/** A push channel the moment it is opened, with its token in clear. */
export interface OpenedChannel {
  readonly id: string;
  readonly token: string | undefined;
  /** What is watched, for example `drive/changes`. */
  readonly resource: string;
  readonly expirationMs: number;
}

/**
 * Receives every request, every token and every channel, in the process that started the simulator and nowhere else: no control route
 * shows a credential. For tests that must know what may never be seen again.
 */
export interface SimulatorObserver {
  onRequest(request: ObservedRequest): void;
  /** @param status of the answer; undefined when the connection was cut instead */
  onAnswer(seq: number, status: number | undefined): void;
  onIssued(token: IssuedToken): void;
  onResource?(resource: AnsweredResource): void;
  onChannel?(channel: OpenedChannel): void;
}
