import { FIRST_ACCOUNT_ID } from '../../gateway/core/contract.ts';
import { sha256Hex } from '../../gateway/core/identifiers.ts';
import { ownMember } from '../../gateway/core/own-member.ts';
import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import { storedLimits } from '../../gateway/keys/key-limits.rules.ts';
import { methodsLeft, methodsToApprove } from '../../gateway/providers/method-names.rules.ts';
import type { MethodMeaning } from '../../gateway/providers/provider.rules.ts';
import { APPROVED_FIRST, withAgentDefaults } from './agent.rules.ts';
import type { AgentSignIn } from './settings.rules.ts';

/** Scopes of access tokens, and their sets of methods. Sharing and deleting have none (MC-31). */
export const TOKEN_SCOPES: Readonly<Record<string, string>> = {
  'drive.read': 'drive:read',
  'drive.write': 'drive:write',
  'calendar.read': 'calendar:read',
  'calendar.write': 'calendar:write',
};

/** Members of the deployment's option that determine the records of assistants. */
export type SignedInSettings = Pick<AgentSignIn, 'issuer' | 'integrations' | 'limits'>;

/** Name of such an assistant in lists of keys. */
export const SIGNED_IN_NAME = 'Assistant that signed in';

/** A record that represents an assistant and is not stored. */
export interface SignedInRecord extends SecretKeyRecord {
  readonly signedInUser: string;
}

/** Replaces the digest of a key: the same for all assistants of one end user of an issuer. */
export function signedInKeyHash({ issuer }: Pick<SignedInSettings, 'issuer'>, subject: string): string {
  return sha256Hex(JSON.stringify([issuer, subject]));
}

/**
 * A key's record that represents all assistants of an end user with the same scopes, so that their calls are counted together.
 *
 * @param allMethods every method that limits can name
 */
export function signedInRecord(
  settings: SignedInSettings,
  allMethods: readonly MethodMeaning[],
  subject: string,
  scopes: readonly string[],
  nowMs: number,
): SignedInRecord {
  const allow = scopes.flatMap((scope) => ownMember(TOKEN_SCOPES, scope) ?? []);
  const given = JSON.parse(JSON.stringify(settings.limits ?? {}));
  const { minute, day } = withAgentDefaults(given, nowMs);
  const cut = methodsLeft(given, allMethods);
  const methods = (methodsLeft({ allow }, allMethods) ?? []).filter((method) => cut?.includes(method) !== false);
  return {
    accountId: FIRST_ACCOUNT_ID,
    keyHash: signedInKeyHash(settings, subject),
    signedInUser: subject,
    name: SIGNED_IN_NAME,
    right: 'proxy',
    integrationIds: settings.integrations,
    canReadCredentials: false,
    createdAt: new Date(nowMs).toISOString(),
    createdBy: undefined,
    lastUsedAtEpochSec: undefined,
    revokedAt: undefined,
    limits: storedLimits({
      ...{ mode: 'enforce', allow, methods, minute, day, approve: APPROVED_FIRST },
      approveMethods: methodsToApprove({ approve: APPROVED_FIRST }, allMethods) ?? [],
    }),
  };
}
