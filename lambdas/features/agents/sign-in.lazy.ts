/** Built as `sign-in.mjs`, and loaded with the first access token of an issuer: deployments without one never do. */
export { openEgress } from '../../gateway/platform/egress/egress.ts';
export { agentTokenVerifier } from './token-verifier.ts';
