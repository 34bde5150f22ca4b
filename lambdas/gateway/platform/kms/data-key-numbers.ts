import { DATA_KEY_ROTATION_SEC } from '../../core/limits.ts';

/**
 * Numbers of data keys: the seven-day period a key belongs to, and behind it how often the key was replaced ahead of its
 * time. A key that was replaced names its successor, so encryption finds it without another read in the usual case.
 *
 *   2955          the key of period 2955
 *   10_002_955    its replacement, made by an operator within the period
 *   20_002_955    and the replacement of that one
 */
const REPLACEMENT_STEP = 10_000_000;
/** Ciphertexts spell key numbers with nine digits at most. */
const NUMBER_MAX = 999_999_999;

/** Number of the period's own key. */
export function periodKeyNumber(nowMs: number): number {
  return Math.floor(nowMs / 1000 / DATA_KEY_ROTATION_SEC);
}

/** Period that a key was made for. */
export function periodOfKey(keyNumber: number): number {
  return keyNumber % REPLACEMENT_STEP;
}

/** Number of the key that takes the place of one. @throws Error when a period's key was replaced 99 times */
export function replacementOf(keyNumber: number): number {
  const next = keyNumber + REPLACEMENT_STEP;
  if (next > NUMBER_MAX) throw new Error('The data key of this period cannot be replaced any more: wait for the next.');
  return next;
}
