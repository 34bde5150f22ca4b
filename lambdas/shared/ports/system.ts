/** Time and chance. */

export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

export interface Random {
  bytes(length: number): Uint8Array;
  /** Uniform in [0, 1). */
  number(): number;
}
