/** Google's addresses as the gateway uses them: from the simulator or from a file. Checked whole, all problems at once. */
import { ADDRESS_NAMES, addressVariable, originName, toolServerName } from '../../lambdas/gateway/core/contract.ts';
import { allProviders, serverAddresses } from '../../lambdas/gateway/providers/index.ts';
import { isObject, type Json } from '../tools/json.ts';

/** The addresses, spelled as in Google's discovery document, and an OAuth client if the file names one. */
export interface GoogleEndpoints {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
  userinfo_endpoint: string;
  jwks_uri: string;
  api_base_url: string;
  /** Of APIs on hosts of their own, as every provider's. Where absent: Google's own, or `api_base_url` where that is not Google's own. */
  drive_activity_base_url?: string;
  caldav_base_url?: string;
  /** Of Google's MCP servers. Where absent: Google's own, or none where `api_base_url` is not Google's own. */
  drive_mcp_endpoint?: string;
  calendar_mcp_endpoint?: string;
  /** For integrations that act by a service account without a key; absent: such integrations need a key. */
  token_exchange_endpoint?: string;
  service_accounts_endpoint?: string;
  client_id?: string;
  client_secret?: string;
}

const { tokenExchangeEndpoint, serviceAccountsEndpoint, ...NEEDED } = ADDRESS_NAMES;
const ADDRESSES = Object.values(NEEDED);
/** Addresses that a file may leave out. */
const OTHER_APIS = [
  ...[tokenExchangeEndpoint, serviceAccountsEndpoint],
  ...allProviders().flatMap(({ server, otherOrigins = {}, toolServer }) =>
    server.id === 'google'
      ? [
          ...Object.keys(otherOrigins).map(originName),
          ...(toolServer === undefined ? [] : [toolServerName(toolServer.name)]),
        ]
      : [],
  ),
];
const CREDENTIALS = ['client_id', 'client_secret'] as const;
const LOOPBACK_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Reads the addresses. @throws Error listing every missing, unknown or malformed member. */
export function parseGoogleEndpoints(value: Json, where: string): GoogleEndpoints {
  if (!isObject(value)) throw new Error(`${where} must hold a JSON object with ${ADDRESSES.join(', ')}.`);
  const known: readonly string[] = [...ADDRESSES, ...OTHER_APIS, ...CREDENTIALS];
  const text = (name: string): string => (typeof value[name] === 'string' ? value[name] : '');
  const problems = [
    ...Object.keys(value)
      .filter((name) => !known.includes(name))
      .map((name) => `${name} is not a known member`),
    ...ADDRESSES.flatMap((name) => addressProblem(name, value[name])),
    ...OTHER_APIS.flatMap((name) => (value[name] === undefined ? [] : addressProblem(name, value[name]))),
    ...CREDENTIALS.filter((name) => value[name] !== undefined && text(name) === '').map(
      (name) => `${name} must be a non-empty string`,
    ),
  ];
  if ((value.client_id === undefined) !== (value.client_secret === undefined)) {
    problems.push('client_id and client_secret go together');
  }
  if (problems.length > 0) throw new Error(`${where}:\n  ${problems.join('\n  ')}`);
  return {
    issuer: text('issuer'),
    authorization_endpoint: text('authorization_endpoint'),
    token_endpoint: text('token_endpoint'),
    revocation_endpoint: text('revocation_endpoint'),
    userinfo_endpoint: text('userinfo_endpoint'),
    jwks_uri: text('jwks_uri'),
    api_base_url: text('api_base_url'),
    ...Object.fromEntries(OTHER_APIS.filter((name) => value[name] !== undefined).map((name) => [name, text(name)])),
    ...(value.client_id === undefined ? {} : { client_id: text('client_id'), client_secret: text('client_secret') }),
  };
}

/** Addresses and, where given, the OAuth client at an authorization server that is not Google's, as in a file for Google. */
export type ServerSettings = Readonly<Record<string, string>>;

/** Reads addresses of authorization servers. @throws Error listing every server, member and address that cannot be */
export function parseProviderEndpoints(value: Json, where: string): Record<string, ServerSettings> {
  if (!isObject(value))
    throw new Error(`${where} must hold a JSON object with a member for each authorization server.`);
  const servers = serverAddresses();
  const problems: string[] = [];
  const found = Object.entries(value).map(([server, given]): [string, ServerSettings] => {
    const known = [...(servers.get(server) ?? []), ...CREDENTIALS];
    if (!servers.has(server))
      problems.push(`${server} is no authorization server; known: ${[...servers.keys()].join(', ')}`);
    else if (!isObject(given)) problems.push(`${server} must be an object`);
    const settings = isObject(given) ? Object.entries(given) : [];
    for (const [name, address] of servers.has(server) ? settings : []) {
      if (!known.includes(name)) problems.push(`${server}.${name} is not a known member`);
      else if (!CREDENTIALS.some((one) => one === name))
        problems.push(...addressProblem(name, address).map((text) => `${server}.${text}`));
    }
    return [server, Object.fromEntries(settings.map(([name, text]) => [name, typeof text === 'string' ? text : '']))];
  });
  if (problems.length > 0) throw new Error(`${where}:\n  ${problems.join('\n  ')}`);
  return Object.fromEntries(found);
}

/** The function variables that an authorization server's addresses replace. */
export function endpointVariables(
  endpoints: GoogleEndpoints | ServerSettings,
  serverId = 'google',
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(endpoints)
      .filter(([name]) => !CREDENTIALS.some((credential) => credential === name))
      .map(([name, value]) => [addressVariable(serverId, name), value]),
  );
}

function addressProblem(name: string, value: Json | undefined): string[] {
  if (value === undefined) return [`${name} is missing`];
  if (typeof value !== 'string' || !URL.canParse(value)) return [`${name} must be an absolute URL`];
  const { protocol, hostname, username, password, hash, search, pathname } = new URL(value);
  if (username !== '' || password !== '' || hash !== '' || search !== '') {
    return [`${name} must have no credentials, no query and no fragment`];
  }
  // The caller's path follows it: a path of its own would be dropped.
  if (name.endsWith('_base_url') && pathname !== '/') return [`${name} must be an origin without a path`];
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname))) return [];
  return [`${name} must be https, or http on this computer`];
}
