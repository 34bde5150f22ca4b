import * as parts from '../answer-parts.ts';

export const time = parts.time();
export const count = parts.count();
export const texts = parts.texts();
export const nextCursor = parts.nextCursor();
export const textMap = parts.textMap();
export const anyObject = parts.anyObject();
export const emptyObject = parts.emptyObject();
export const success = parts.success();
export const reviewClass = parts.reviewClass();
export const scope = parts.scope();
