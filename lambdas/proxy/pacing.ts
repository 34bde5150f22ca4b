/** Built as `pacing.mjs` next to the bundle and loaded by the first background call, and by processes that make many calls. */
export { ProxyPacing } from '../gateway/calls/proxy-pacing.ts';
