/** Built as `refresh.mjs` next to the bundle and loaded by the first refresh of a process. */
export { makeFullRefresher as makeRefresher } from '../gateway/wiring.ts';
