/** Ids of Google's OAuth clients: a project's number, since some years with a name behind it (Google, "Setting up OAuth 2.0"). */
const CLIENT_ID = /^\d+(?:-[A-Za-z0-9_-]+)?\.apps\.googleusercontent\.com$/;

const WHERE = 'copy it from the Google Cloud console, Google Auth Platform, Clients';
const LOOKS = `looks like 123456789012-abc….apps.googleusercontent.com: ${WHERE}`;

/** Whether a text holds a client secret as Google makes them; such a text is never repeated in an answer. */
export function holdsClientSecret(text: string): boolean {
  return text.includes('GOCSPX-');
}

/**
 * What is wrong with the id of an OAuth client, as a sentence that says what to send; undefined for one that Google may have
 * made. What was sent is not repeated: it may be a secret.
 */
export function clientIdProblem(text: string): string | undefined {
  if (CLIENT_ID.test(text)) return undefined;
  if (holdsClientSecret(text)) return `is a client secret; it goes into client_secret. A client id ${LOOKS}`;
  if (text.startsWith('AIza')) return `is an API key, which no user can consent to. A client id ${LOOKS}`;
  if (text.endsWith('.gserviceaccount.com')) return `is a service account, not an OAuth client. A client id ${LOOKS}`;
  return `is no client id of Google’s; one ${LOOKS}`;
}

/** The same of a client secret. Older ones have no form of their own. */
export function clientSecretProblem(text: string): string | undefined {
  return text.endsWith('.apps.googleusercontent.com')
    ? `is a client id; it goes into client_id. The secret is beside it: ${WHERE}`
    : undefined;
}
