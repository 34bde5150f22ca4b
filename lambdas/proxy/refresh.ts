/** Built beside the bundle as `refresh.mjs`: read with the first refresh of a process. */
export { makeRefresher } from '../gateway/wiring.ts';
