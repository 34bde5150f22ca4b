/** Built as `signed-in.mjs`, and loaded with the first call that waits of an assistant whose user has signed in. */
import { allProviders } from '../../gateway/providers/index.ts';
import type { AgentSignIn } from './settings.rules.ts';
import { type SignedInRecord, signedInKeyHash, signedInRecord, TOKEN_SCOPES } from './signed-in-agent.rules.ts';

/** The record of an assistant that has signed in, with every scope; undefined where its issuer is not trusted any more. */
export function recordOfUser(
  settings: AgentSignIn,
  user: string,
  keyHash: string,
  nowMs: number,
): SignedInRecord | undefined {
  if (signedInKeyHash(settings, user) !== keyHash) return undefined;
  const allMethods = allProviders().flatMap(({ methodMeanings = [] }) => methodMeanings);
  return signedInRecord(settings, allMethods, user, Object.keys(TOKEN_SCOPES), nowMs);
}
