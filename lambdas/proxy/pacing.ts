/** Built alongside the bundle as `pacing.mjs`: read with the first call in the background, and by processes that make many calls. */
export { ProxyPacing } from '../gateway/calls/proxy-pacing.ts';
