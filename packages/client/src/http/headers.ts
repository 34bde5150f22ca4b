/** Headers of a call; undefined leaves one out. */
export type HeaderInput =
  | Headers
  | Readonly<Record<string, string | undefined>>
  | readonly (readonly [string, string])[];

/** Which connection a call goes through. */
export interface ConnectionRef {
  /** Id of the integration (`unique_key`). */
  providerConfigKey: string;
  /** Id of the connection within the integration. */
  connectionId: string;
}

/** Google compresses only for callers whose User-Agent names gzip. */
const USER_AGENT = 'integration-gateway-client/0.3.0 (gzip)';

const OWN: ReadonlyMap<string, string> = new Map([
  ['authorization', 'the gateway sends the identity of the connection; the secret key is given to the client'],
  ['provider-config-key', 'give providerConfigKey instead'],
  ['connection-id', 'give connectionId instead'],
  ['retries', 'give retries instead'],
  ['retry-on', 'give retryOn instead'],
  ['gateway-priority', 'give priority instead'],
]);

/** The caller's headers of a call, checked. @throws TypeError naming the header that is the client's to set */
export function callerHeaders(given: HeaderInput | undefined): Headers {
  const headers = new Headers();
  for (const [name, value] of entriesOf(given)) {
    const instead = OWN.get(name.toLowerCase());
    if (instead !== undefined) throw new TypeError(`headers.${name}: ${instead}.`);
    if (value !== undefined) headers.append(name, value);
  }
  return headers;
}

/** Adds what every request carries. @param bearer undefined for a request that is signed when it is sent */
export function addIdentity(headers: Headers, bearer: string | undefined): void {
  if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
  if (!headers.has('user-agent')) headers.set('user-agent', USER_AGENT);
  if (!headers.has('accept')) headers.set('accept', '*/*');
}

/** Adds the connection of a proxied call. @throws TypeError when an id is missing */
export function addConnection(headers: Headers, { providerConfigKey, connectionId }: ConnectionRef): void {
  headers.set('provider-config-key', readId(providerConfigKey, 'providerConfigKey'));
  headers.set('connection-id', readId(connectionId, 'connectionId'));
}

/** Adds the wish for repeats inside the gateway. @throws TypeError */
export function addRetries(
  headers: Headers,
  retries: number | undefined,
  retryOn: readonly number[] | undefined,
): void {
  if (retries !== undefined) {
    if (!Number.isInteger(retries) || retries < 0 || retries > 5) {
      throw new TypeError('retries must be a whole number from 0 to 5.');
    }
    headers.set('retries', String(retries));
  }
  if (retryOn === undefined || retryOn.length === 0) return;
  if (!retryOn.every((status) => Number.isInteger(status) && status >= 100 && status <= 599)) {
    throw new TypeError('retryOn must be a list of HTTP statuses, such as [429, 503].');
  }
  headers.set('retry-on', retryOn.join(','));
}

/** Adds the call's priority. @throws TypeError */
export function addPriority(headers: Headers, priority: string | undefined): void {
  if (priority === undefined) return;
  if (priority !== 'interactive' && priority !== 'background') {
    throw new TypeError('priority must be interactive or background.');
  }
  headers.set('gateway-priority', priority);
}

function entriesOf(given: HeaderInput | undefined): readonly (readonly [string, string | undefined])[] {
  if (given === undefined) return [];
  if (given instanceof Headers) return [...given];
  return isPairs(given) ? given : Object.entries(given);
}

function isPairs(given: Exclude<HeaderInput, Headers>): given is readonly (readonly [string, string])[] {
  return Array.isArray(given);
}

function readId(id: string, name: string): string {
  if (typeof id !== 'string' || !/^[\x20-\x7e]+$/.test(id) || id.trim() !== id) {
    throw new TypeError(`${name} is required: letters, digits and a few signs, as the gateway knows it.`);
  }
  return id;
}
