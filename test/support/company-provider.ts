import { createServer, type RequestListener } from 'node:http';
import { Provider } from 'oidc-provider';
import { closeServer, listen } from '../../dev/local/network.ts';

/** The gateway's client at the company. */
export const COMPANY_CLIENT = { client_id: 'gateway-dashboard', client_secret: 'company-secret-0123456789-0123456789' };

/** A standard OpenID provider that plays the sign-in of a company, with a claim of groups. */
export interface CompanyProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Lets a gateway in by the address that answers go to. */
  knowClient(redirectUri: string): void;
}

/** Starts it on loopback. @param groups of each login that exists */
export async function startCompanyProvider(groups: Readonly<Record<string, unknown>>): Promise<CompanyProvider> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  const issuer = `http://127.0.0.1:${await listen(server, 0, 'the company', 'none')}`;
  return {
    issuer,
    knowClient(redirectUri) {
      const provider = new Provider(issuer, {
        clients: [
          { ...COMPANY_CLIENT, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['groups'] },
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['company'] },
        findAccount: (_context, sub) => ({
          accountId: sub,
          claims: () => ({ sub, email: `${sub}@company.example`, email_verified: true, groups: groups[sub] }),
        }),
      });
      answer = provider.callback();
    },
    async [Symbol.asyncDispose]() {
      await closeServer(server);
    },
  };
}
