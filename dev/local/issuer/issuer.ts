/** An OIDC issuer shaped like Cognito, for operators of a gateway on this computer. It exists only here (UI-7). */
import { DASHBOARD_RETURN_PATHS, ISSUER_KEYS_PATH } from '../../../lambdas/gateway/core/contract.ts';
import type { LocalIdentityProvider } from '../template/identity-provider.ts';
import type { Admission } from './admission.ts';
import type { IssuerClient } from './authorization-request.ts';
import { answerAuthorization, answerCompany, answerLogout, htmlReply } from './authorize.ts';
import { COMPANY_RETURN_PATH, companySignIn } from './company-sign-in.ts';
import { type IssuerReply, type IssuerRequest, jsonReply } from './exchange.ts';
import { problemPage } from './pages.ts';
import { SignIns } from './sign-ins.ts';
import { openSigningKey } from './signing-key.ts';
import { answerRevocation, answerTokenRequest } from './token-endpoint.ts';

/** Client id of the dashboard at the local issuer. */
export const LOCAL_CLIENT_ID = 'local-dashboard';

/** Path of the issuer below the dashboard's origin. */
export const ISSUER_PATH = '/issuer';

export interface LocalIssuerOptions {
  /** Origin of the dashboard, which is the issuer's too. */
  origin: string;
  /** File that keeps the signing key. */
  keyPath: string;
  /** Time in milliseconds. @default the system's */
  nowMs?: () => number;
  /** Which browsers may sign in. @default every one */
  admission?: Admission;
  /** A company's sign-in and its client's secret. @default operators are chosen on a page */
  company?: { provider: LocalIdentityProvider; clientSecret: string } | undefined;
}

export interface LocalIssuer {
  /** `iss` of every token. */
  issuer: string;
  answer(request: IssuerRequest): Promise<IssuerReply>;
}

/** Opens the issuer. Its key is made while everything else continues, so that no start waits for it. */
export function localIssuer({
  origin,
  keyPath,
  nowMs = Date.now,
  admission,
  company,
}: LocalIssuerOptions): LocalIssuer {
  const issuer = `${origin}${ISSUER_PATH}`;
  const key = openSigningKey(keyPath);
  // A failure is reported by the first request for a token; until then it must not count as unhandled.
  key.catch(() => {});
  const signIns = new SignIns();
  const client: IssuerClient = {
    clientId: LOCAL_CLIENT_ID,
    redirectUris: [origin + DASHBOARD_RETURN_PATHS.signedIn],
    logoutUris: [origin + DASHBOARD_RETURN_PATHS.signedOut],
  };
  const browser = {
    client,
    signIns,
    admission,
    company: company && companySignIn(company.provider, company.clientSecret, issuer),
    cookieName: `issuer_session_${new URL(origin).port}`,
    cookiePath: ISSUER_PATH,
  };
  return {
    issuer,
    async answer(request) {
      const now = Math.floor(nowMs() / 1000);
      const { method, path } = request;
      switch (`${method} ${path}`) {
        case 'GET /.well-known/openid-configuration':
          return jsonReply(200, discovery(issuer));
        case `GET ${ISSUER_KEYS_PATH}`:
          return jsonReply(200, { keys: [(await key).publicJwk] });
        case 'GET /oauth2/authorize':
        case 'POST /oauth2/authorize':
          return answerAuthorization(request, browser, now);
        case `GET ${COMPANY_RETURN_PATH}`:
          return answerCompany(request, browser, now);
        case 'POST /oauth2/token':
          return answerTokenRequest(request.form, { issuer, client, signIns, key: await key }, now);
        case 'POST /oauth2/revoke':
          return answerRevocation(request.form, { issuer, client, signIns, key: await key });
        case 'GET /logout':
          return answerLogout(request, browser);
        default:
          return htmlReply(404, problemPage('The issuer has nothing at this address.'));
      }
    },
  };
}

/** What a browser sends requests to. */
export function issuerEndpoints(issuer: string) {
  return {
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    end_session_endpoint: `${issuer}/logout`,
  };
}

/** OpenID Connect Discovery 1.0 section 3, with the members Cognito's document has. */
function discovery(issuer: string) {
  return {
    issuer,
    ...issuerEndpoints(issuer),
    jwks_uri: `${issuer}${ISSUER_KEYS_PATH}`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
  };
}
