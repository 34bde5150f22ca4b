import * as parts from '../answer-parts.ts';

export const death = parts.death();
export const problem = parts.problem();
export const errorEnvelope = parts.errorEnvelope();
