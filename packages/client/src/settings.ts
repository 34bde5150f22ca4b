import type { AwsCredentials, AwsCredentialsProvider, AwsSigner } from './http/aws-signature.ts';

/** The part of `fetch` the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Identification of a caller: a secret key, or an IAM role. */
export interface CallerOptions {
  /** Secret key of the account. It gives access to every connection, so it belongs on a server. */
  secretKey?: string;
  /**
   * Instead of a secret key: credentials of an IAM role that is registered at the gateway, or a provider of them, which is asked for
   * each request. Providers of AWS's SDK fit, such as `fromNodeProviderChain()`. Requests are signed and go below `/iam` of `baseUrl`.
   */
  awsCredentials?: AwsCredentials | AwsCredentialsProvider;
  /** Region of the gateway. @default - what `baseUrl` names, where it is an address of API Gateway's */
  awsRegion?: string;
}

/** How to reach a gateway. */
export interface GatewayClientOptions extends CallerOptions {
  /** Address of the gateway, stage path included, such as `https://abc.execute-api.eu-central-1.amazonaws.com/v1`. */
  baseUrl: string;
  /**
   * Address of proxied calls, where the deployment has one of its own (stack output `ProxyUrl`).
   * @default - baseUrl
   */
  proxyUrl?: string;
  /** Whether `baseUrl` may begin with `http://` for a host other than this computer, where the network is yours alone. @default false */
  allowHttp?: boolean;
  /** Longest wait for one answer in milliseconds; 0 waits without end. @default 180000 */
  timeoutMs?: number;
  /** Replaces the runtime's own `fetch`. */
  fetch?: Fetch;
}

/** Checked options. */
export interface Settings {
  /** No trailing slash. Signed calls go below it. */
  readonly baseUrl: string;
  /** Likewise. */
  readonly proxyUrl: string;
  /** Where requests with a token of their own go, which are never signed. */
  readonly openUrl: string;
  /** Undefined where calls are signed. */
  readonly secretKey: string | undefined;
  readonly signer: AwsSigner | undefined;
  readonly timeoutMs: number;
  readonly fetch: Fetch;
}

/** Longer than the 120 s the gateway waits for the provider, so that the gateway's own answer arrives first. */
const DEFAULT_TIMEOUT_MS = 180_000;
/** Timers of JavaScript runtimes hold 31 bits. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** Checks the options of a client. @throws TypeError naming the option and what to write instead */
export function readSettings(options: GatewayClientOptions): Settings {
  return {
    ...readCaller(options),
    timeoutMs: readTimeoutMs(options.timeoutMs, DEFAULT_TIMEOUT_MS),
    // Looked up at each call: the runtime's fetch may be replaced later, by instrumentation for one.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

/** Checks who calls, and where to. @throws TypeError */
export function readCaller(
  options: Pick<GatewayClientOptions, 'baseUrl' | 'proxyUrl' | 'allowHttp' | keyof CallerOptions>,
): Pick<Settings, 'baseUrl' | 'proxyUrl' | 'openUrl' | 'secretKey' | 'signer'> {
  const { secretKey, awsCredentials, awsRegion, allowHttp } = options;
  const openUrl = readBaseUrl(options.baseUrl, allowHttp);
  if (awsCredentials === undefined) {
    if (awsRegion !== undefined) throw new TypeError('awsRegion goes with awsCredentials: leave it out.');
    const proxyUrl = options.proxyUrl === undefined ? openUrl : readBaseUrl(options.proxyUrl, allowHttp, 'proxyUrl');
    return { baseUrl: openUrl, proxyUrl, openUrl, secretKey: readSecretKey(secretKey), signer: undefined };
  }
  if (secretKey !== undefined) throw new TypeError('Give secretKey or awsCredentials, not both.');
  if (options.proxyUrl !== undefined) {
    throw new TypeError('proxyUrl takes secret keys only: leave it out, and roles call by baseUrl.');
  }
  const credentials = typeof awsCredentials === 'function' ? awsCredentials : async () => awsCredentials;
  const baseUrl = `${openUrl}/iam`;
  const signer = { credentials, region: awsRegion ?? regionOf(openUrl) };
  return { baseUrl, proxyUrl: baseUrl, openUrl, secretKey: undefined, signer };
}

/** Region in an address of API Gateway's. @throws TypeError for others */
function regionOf(baseUrl: string): string {
  const [, region] = /^https:\/\/[^./]+\.execute-api\.([a-z\d-]+)\.amazonaws\.com(?:\.cn)?(?:\/|$)/.exec(baseUrl) ?? [];
  if (region !== undefined) return region;
  throw new TypeError(
    'awsRegion is required, because baseUrl does not name it: the region of the gateway, such as eu-central-1.',
  );
}

/** Checks an address and cuts trailing slashes. @throws TypeError */
export function readBaseUrl(baseUrl: string, allowHttp = false, name = 'baseUrl'): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new TypeError(`${name} must be the address of the gateway, such as https://gateway.example.com/v1`);
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new TypeError(`${name} must have no query, fragment, user name or password.`);
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new TypeError(
      `${name} begins with http://, so everyone on the way could read the secret key. Write https://, or allowHttp: true where the network is yours alone.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Whether a host is this computer itself (RFC 6761 section 6.3, RFC 5735, RFC 4291 section 2.5.3). */
function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Checks that a secret key is valid in a header. @throws TypeError that does not repeat the key */
export function readSecretKey(secretKey: string | undefined): string {
  if (typeof secretKey !== 'string' || !/^[\x21-\x7e]+$/.test(secretKey)) {
    throw new TypeError('secretKey must be the key as it was shown: visible ASCII characters without spaces.');
  }
  return secretKey;
}

/** Checks a time limit in milliseconds. @throws TypeError */
export function readTimeoutMs(timeoutMs: number | undefined, otherwise: number): number {
  const value = timeoutMs ?? otherwise;
  if (!Number.isFinite(value) || value < 0 || value > MAX_TIMEOUT_MS) {
    throw new TypeError(`timeoutMs must be a number of milliseconds from 0 (no limit) to ${MAX_TIMEOUT_MS}.`);
  }
  return value;
}
