import type { AuthorizationServer } from '../providers/authorization-server.rules.ts';

const WHERE = 'copy it from the Google Cloud console, Google Auth Platform, Clients';

/** Whether a text holds a client secret as Google makes them; such a text is never repeated in an answer. */
export function holdsClientSecret(text: string): boolean {
  return text.includes('GOCSPX-');
}

/**
 * What is wrong with the id of an OAuth client, as a sentence that says what to send; undefined for one that the server may
 * have made. What was sent is not repeated: it may be a secret.
 */
export function clientIdProblem(
  text: string,
  { clientIds, displayName }: Pick<AuthorizationServer, 'clientIds' | 'displayName'>,
): string | undefined {
  if (clientIds === undefined || new RegExp(clientIds.pattern).test(text)) return undefined;
  const { looks } = clientIds;
  if (holdsClientSecret(text)) return `is a client secret; it goes into client_secret. A client id ${looks}`;
  if (text.startsWith('AIza')) return `is an API key, which no user can consent to. A client id ${looks}`;
  if (text.endsWith('.gserviceaccount.com')) return `is a service account, not an OAuth client. A client id ${looks}`;
  return `is not a client id of ${displayName}; one ${looks}`;
}

/** The same where it is not known whose client it is: only what no server can have made is wrong. */
export function clientIdProblemAnywhere(text: string, servers: readonly AuthorizationServer[]): string | undefined {
  const problems = servers.map((server) => clientIdProblem(text, server));
  return problems.includes(undefined) ? undefined : problems[0];
}

/** The same of a client secret. Older ones have no form of their own. */
export function clientSecretProblem(text: string): string | undefined {
  return text.endsWith('.apps.googleusercontent.com')
    ? `is a client id; it goes into client_id. The secret is beside it: ${WHERE}`
    : undefined;
}
