import type { DeathText } from '../core/grant-death.ts';
import { type AuthorizationServer, named } from '../providers/authorization-server.rules.ts';
import { GOOGLE_CALL_FAULT_CONSOLES, GOOGLE_CALL_FAULTS } from '../providers/google/call-faults.rules.ts';

/** By authorization server. Kept out of the servers' definitions, which the proxy loads with every start. */
const CALL_FAULTS: Readonly<Record<string, Readonly<Record<string, DeathText>>>> = { google: GOOGLE_CALL_FAULTS };

/**
 * What happened to a connection whose calls the provider refuses, who can fix it, and how.
 *
 * @param reason as in the health of a connection: the provider's reason, or the status without one
 */
export function explainCallFault(reason: string, server: AuthorizationServer): DeathText {
  const callFaults = CALL_FAULTS[server.id] ?? {};
  // Reasons come from outside, so names of built-in object members must not match.
  const known = Object.hasOwn(callFaults, reason) ? callFaults[reason] : undefined;
  if (known !== undefined) return known;
  return {
    who: 'developer',
    explanation: named(`{provider} refuses the calls of the connection (${reason}).`, server),
    remedy: named('Look the reason up in the documentation of {provider}’s API.', server),
  };
}

const CONSOLES: Readonly<Record<string, Readonly<Record<string, string>>>> = { google: GOOGLE_CALL_FAULT_CONSOLES };

/**
 * The console where the cause of a refusal is fixed; undefined where none exists.
 *
 * @param enableApiUrl where the API of the provider is enabled
 */
export function consoleOfCallFault(
  reason: string,
  server: AuthorizationServer,
  enableApiUrl: string | undefined,
): string | undefined {
  const consoles = CONSOLES[server.id] ?? {};
  const place = Object.hasOwn(consoles, reason) ? consoles[reason] : undefined;
  return place === 'api' ? enableApiUrl : place;
}
