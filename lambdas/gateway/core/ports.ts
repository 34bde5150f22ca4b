/** Common ports of all subjects: time, randomness, logs, metrics and the context of a call. */
import type { KeyPurpose, MetricName } from './contract.ts';
import type { FieldOf } from './sealed-fields.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

export interface Random {
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1). */
  number(): number;
}

/** Context of a call, in addition to its input. */
export interface CallContext {
  /** The front door's request id, in every log line and response of the call. */
  readonly requestId: string;
  /**
   * Registers work that may outlive the response: the caller does not wait for it, and the function does not end before it (F61).
   * Undefined is no work. Failed work is logged and fails no call.
   */
  waitUntil(work: Promise<unknown> | undefined): void;
}

/** Structured log entries; only allow-listed members are written (LG-2). */
export interface Logger {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields, error?: unknown): void;
}

export interface LogFields {
  readonly requestId?: string;
  readonly accountId?: string;
  readonly integrationId?: string;
  readonly code?: string;
  readonly status?: number;
  readonly outcome?: string;
  readonly cause?: string;
  readonly route?: string;
  readonly durationMs?: number;
  readonly count?: number;
  readonly upstreamStatus?: number;
}

/** Counters by outcome and cause, in the embedded metric format. */
export interface Metrics {
  count(name: MetricName, dimensions?: Readonly<Record<string, string>>, value?: number): void;
}

/**
 * The place of a ciphertext: part of its AAD, so it can be decrypted nowhere else. A place whose purpose is not that of its field in
 * `SEALED_FIELDS` does not compile.
 */
export type CipherContext = { readonly [Purpose in KeyPurpose]: PlaceFor<Purpose> }[KeyPurpose];

/** The place of a ciphertext under data keys of one purpose. */
export interface PlaceFor<Purpose extends KeyPurpose> {
  readonly accountId: string;
  readonly integrationId: string;
  readonly recordId: string;
  readonly field: FieldOf<Purpose>;
  readonly purpose: Purpose;
}

export interface TokenCipher {
  encrypt(context: CipherContext, plaintext: string): Promise<string>;
  /** @throws CipherError for anything that cannot be decrypted, with one opaque message */
  decrypt(context: CipherContext, ciphertext: string): Promise<string>;
}

/** The function's identity, as AWS proves it to others. */
export interface AwsIdentity {
  /** A subject token for one audience, signed at a moment. */
  subjectToken(audience: string, at: Date): Promise<string>;
}
