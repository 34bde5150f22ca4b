import { randomBytes } from 'node:crypto';
import type { Clock, Random } from '../core/ports.ts';

/** The process clock. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** The operating system's generator; `number` only spreads work and guards nothing. */
export const systemRandom: Random = { bytes: (length) => randomBytes(length), number: () => Math.random() };
