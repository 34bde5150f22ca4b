/** The dashboard's configuration by its deployment: `/config.json`. */
export interface DashboardConfig {
  /** Address of the gateway without a trailing slash; may end in a stage path. */
  readonly apiBaseUrl: string;
  /** Address of proxied calls, likewise; that of the gateway where they have none of their own. */
  readonly proxyUrl: string;
  /** OIDC issuer that operators sign in at. */
  readonly issuer: string;
  readonly clientId: string;
  /** Features that the deployment leaves out. */
  readonly without: ReadonlySet<string>;
  /** Addresses of the issuer's own document, for which nothing is fetched then. */
  readonly issuerEndpoints?: IssuerEndpoints;
}

/** Members of an issuer's metadata (OpenID Connect Discovery 1.0, section 3), by the names they have there. */
export interface IssuerEndpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly revocation_endpoint?: string;
  readonly end_session_endpoint?: string;
}

/** Checks the JSON of `/config.json`. @throws Error naming the member that is missing or wrong */
export function readConfig(value: unknown): DashboardConfig {
  const apiBaseUrl = address(member(value, 'api_base_url'), 'api_base_url');
  return {
    apiBaseUrl,
    proxyUrl: has(value, 'proxy_url') ? address(member(value, 'proxy_url'), 'proxy_url') : apiBaseUrl,
    issuer: address(member(value, 'issuer'), 'issuer'),
    clientId: member(value, 'client_id'),
    without: new Set(has(value, 'without') ? names(value.without) : []),
    ...(has(value, 'issuer_endpoints') ? { issuerEndpoints: endpoints(value.issuer_endpoints) } : {}),
  };
}

/** Loads `/config.json`. @throws Error saying what to look at */
export async function loadConfig(): Promise<DashboardConfig> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) {
    throw new Error(`/config.json answered ${response.status}. The server of this page must serve it too.`);
  }
  const value: unknown = await response.json().catch(() => undefined);
  if (value === undefined) throw new Error('/config.json is not JSON. Is it missing, and a page served in its place?');
  return readConfig(value);
}

function has<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

function names(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Error('/config.json: without must be a list of names.');
}

function endpoints(value: unknown): IssuerEndpoints {
  const optional = (name: 'revocation_endpoint' | 'end_session_endpoint') =>
    has(value, name) ? { [name]: address(member(value, name), name) } : {};
  return {
    authorization_endpoint: address(member(value, 'authorization_endpoint'), 'authorization_endpoint'),
    token_endpoint: address(member(value, 'token_endpoint'), 'token_endpoint'),
    ...optional('revocation_endpoint'),
    ...optional('end_session_endpoint'),
  };
}

function member(value: unknown, name: string): string {
  const found: unknown =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
  if (typeof found === 'string' && found !== '') return found;
  throw new Error(`/config.json has no text ${name}.`);
}

function address(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`/config.json: ${name} must be an http or https address.`);
  }
  return text.replace(/\/+$/, '');
}
