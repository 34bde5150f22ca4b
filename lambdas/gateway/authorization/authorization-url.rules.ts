import type { ProviderEndpoints } from '../providers/provider.rules.ts';
import { IDENTITY_SCOPES, uniqueScopes } from '../providers/scopes.rules.ts';
import type { PickOptions } from './pick.rules.ts';

/** What an authorization request says (RFC 6749 section 4.1.1, RFC 7636 section 4.3, Google "Web server applications"). */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string;
  /** S256 of the code verifier; `plain` does not exist here (OA-2). */
  readonly codeChallenge: string;
  /** Undefined where no ID token will come. */
  readonly nonce: string | undefined;
  readonly includeGrantedScopes: boolean;
  readonly loginHint: string | undefined;
  readonly hostedDomain: string | undefined;
  /** `select_account` may stand beside the consent that is always asked for. */
  readonly selectAccount: boolean;
  /** @default 'offline' */
  readonly access?: 'online' | 'offline';
  /** Shows a file picker after the consent. */
  readonly pick?: PickOptions | undefined;
}

/**
 * The address the browser goes to. Offline access with the consent shown: without it Google sends no refresh token (OA-19). A picker
 * stands beside one scope only and includes no earlier ones (PK-3, PK-5).
 */
export function authorizationUrl(endpoints: ProviderEndpoints, request: AuthorizationRequest): string {
  const url = new URL(endpoints.authorizationEndpoint);
  const parameters: Record<string, string | undefined> = {
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    response_type: 'code',
    scope: request.scopes.join(' '),
    state: request.state,
    access_type: request.access ?? 'offline',
    prompt: request.selectAccount ? 'consent select_account' : 'consent',
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    nonce: request.nonce,
    include_granted_scopes: request.pick !== undefined ? 'false' : request.includeGrantedScopes ? 'true' : undefined,
    login_hint: request.loginHint,
    hd: request.hostedDomain,
    ...pickerParameters(request.pick),
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
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

/** What is asked for: the integration's scopes and who the account is, so that accounts can be told apart. */
export function scopesToRequest(scopes: readonly string[]): string[] {
  return uniqueScopes([...IDENTITY_SCOPES.filter((scope) => scope !== 'profile'), ...scopes]);
}
