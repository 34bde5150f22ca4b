import type {
  AuthorizationServer,
  OptionalParameter,
  ProviderEndpoints,
} from '../providers/authorization-server.rules.ts';
import { uniqueScopes } from '../providers/scopes.rules.ts';
import type { PickOptions } from './pick.rules.ts';

/** Parameters of an authorization request (RFC 6749 section 4.1.1, RFC 7636 section 4.3, Google "Web server applications"). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** S256 of the code verifier; `plain` is not supported (OA-2). */
  readonly codeChallenge: string;
  /** Undefined where no ID token will come. */
  readonly nonce: string | undefined;
  readonly includeGrantedScopes: boolean;
  readonly loginHint: string | undefined;
  readonly hostedDomain: string | undefined;
  /** Whether to add `select_account` to the prompt for consent. */
  readonly selectAccount: boolean;
  /** Language of the provider's pages, where it supports the parameter `hl` (Google, "OpenID Connect"). */
  readonly language: string;
  /** @default the server's definition */
  readonly access?: 'online' | 'offline';
  /** Shows a file picker after the consent. */
  readonly pick?: PickOptions | undefined;
}

/**
 * The address for the browser, with the parameters that the server's definition requires (OA-19). A picker is combined with one scope
 * only and includes no earlier ones (PK-3, PK-5).
 */
export function authorizationUrl(endpoints: ProviderEndpoints, request: AuthorizationRequest): string {
  const url = new URL(endpoints.authorizationEndpoint);
  const { parameters: always, understands } = endpoints.server.authorization;
  const ifKnown = <T>(name: OptionalParameter, value: T): T | undefined =>
    understands.includes(name) ? value : undefined;
  const parameters: Record<string, string | undefined> = {
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    response_type: 'code',
    scope: request.scopes.join(' '),
    state: request.state,
    ...always,
    // For a pick whose token is short-lived.
    ...(request.access === undefined ? {} : { access_type: request.access }),
    ...(request.selectAccount ? { prompt: ifKnown('select_account', selecting(always.prompt)) ?? always.prompt } : {}),
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    // It comes back in an ID token; servers refuse it where none is requested (OpenID Connect Core 3.1.2.1).
    nonce: request.scopes.includes('openid') ? request.nonce : undefined,
    include_granted_scopes: ifKnown(
      'include_granted_scopes',
      request.pick !== undefined ? 'false' : request.includeGrantedScopes ? 'true' : undefined,
    ),
    login_hint: ifKnown('login_hint', request.loginHint),
    hd: ifKnown('hd', request.hostedDomain),
    hl: ifKnown('hl', request.language),
    ...pickerParameters(request.pick),
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function selecting(prompt: string | undefined): string {
  return prompt === undefined ? 'select_account' : `${prompt} select_account`;
}

function pickerParameters(pick: PickOptions | undefined): Record<string, string | undefined> {
  if (pick === undefined) return {};
  const list = (values: readonly string[]) => (values.length === 0 ? undefined : values.join(','));
  return {
    trigger_onepick: 'true',
    allow_multiple: pick.multiple ? 'true' : undefined,
    mimetypes: list(pick.mimeTypes),
    file_ids: list(pick.fileIds),
    allow_folder_selection: pick.folders ? 'true' : undefined,
  };
}

/** The requested scopes: the integration's and the identity scopes, so that accounts can be distinguished. */
export function scopesToRequest(
  scopes: readonly string[],
  { authorization }: Pick<AuthorizationServer, 'authorization'>,
): string[] {
  return uniqueScopes([...authorization.identityScopes, ...scopes]);
}
