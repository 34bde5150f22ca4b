/** Built alongside the bundle as `refresh.mjs`: read with the first refresh of a process. */
export { makeFullRefresher as makeRefresher } from '../gateway/wiring.ts';
