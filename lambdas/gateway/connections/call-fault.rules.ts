import type { DeathText } from '../core/grant-death.ts';
import { type AuthorizationServer, named } from '../providers/authorization-server.rules.ts';
import { GOOGLE_CALL_FAULT_CONSOLES, GOOGLE_CALL_FAULTS } from '../providers/google/call-faults.rules.ts';

/** By authorization server. They stand in no definition of one, which the proxy loads with every start. */
const CALL_FAULTS: Readonly<Record<string, Readonly<Record<string, DeathText>>>> = { google: GOOGLE_CALL_FAULTS };

/**
 * What happened to a connection whose calls the provider refuses, who can fix it, and how.
 *
 * @param reason as in the health of a connection: the provider's reason, or the status where it gives none
 */
export function explainCallFault(reason: string, server: AuthorizationServer): DeathText {
  const callFaults = CALL_FAULTS[server.id] ?? {};
  // Reasons come from outside: one that is named like a member of every object is not in the list.
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
 * Where what the provider's reason says is fixed; undefined where no console does.
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
