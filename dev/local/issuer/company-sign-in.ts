/** A company's OpenID Connect provider behind the local issuer, as a user pool uses it. */
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { asObject, asString, isObject, type JsonObject, parseJson } from '../../tools/json.ts';
import type { LocalIdentityProvider } from '../template/identity-provider.ts';
import { randomToken } from './digest.ts';
import type { LocalOperator } from './operators.ts';

/** Path of the provider's answer below the issuer, as Cognito's domain has it. */
export const COMPANY_RETURN_PATH = '/oauth2/idpresponse';

/** A sign-in at the company that somebody has begun; it is over after this. */
const PENDING_LIFETIME_SEC = 300;

export interface CompanySignIn {
  /** Where the browser goes. @param query of the dashboard's request, which the sign-in leads back to */
  begin(query: URLSearchParams, now: number): Promise<string>;
  /** @param answer of the provider @returns who signed in, and the dashboard's request; undefined for an answer nobody waits for */
  finish(
    answer: URLSearchParams,
    now: number,
  ): Promise<{ operator: LocalOperator; query: URLSearchParams } | undefined>;
}

/** @param issuer address of the local issuer */
export function companySignIn(provider: LocalIdentityProvider, clientSecret: string, issuer: string): CompanySignIn {
  const redirectUri = issuer + COMPANY_RETURN_PATH;
  const pending = new Map<string, { query: URLSearchParams; nonce: string; untilEpochSec: number }>();
  const server = async () =>
    json(await fetch(`${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`));
  return {
    async begin(query, now) {
      const { authorization_endpoint: endpoint } = await server();
      const [state, nonce] = [randomToken(), randomToken()];
      pending.set(state, { query, nonce, untilEpochSec: now + PENDING_LIFETIME_SEC });
      const address = new URL(asString(endpoint, 'authorization_endpoint'));
      const scope = provider.scopes.join(' ');
      const asked = {
        client_id: provider.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        nonce,
      };
      for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
      return address.href;
    },
    async finish(answer, now) {
      const state = answer.get('state') ?? '';
      const begun = pending.get(state);
      pending.delete(state);
      const code = answer.get('code');
      if (begun === undefined || now > begun.untilEpochSec || code === null) return undefined;
      const at = await server();
      // Cognito proves its client in the form ("Adding OIDC user pool identity providers").
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id: provider.clientId };
      const tokens = await json(
        await fetch(asString(at.token_endpoint, 'token_endpoint'), {
          method: 'POST',
          body: new URLSearchParams({ ...form, client_secret: clientSecret }),
        }),
      );
      const keys = createRemoteJWKSet(new URL(asString(at.jwks_uri, 'jwks_uri')));
      const expected = { issuer: provider.issuer, audience: provider.clientId };
      const { payload } = await jwtVerify(asString(tokens.id_token, 'id_token'), keys, expected);
      if (payload.nonce !== begun.nonce || payload.sub === undefined) return undefined;
      const headers = { authorization: `Bearer ${asString(tokens.access_token, 'access_token')}` };
      const userInfo = await json(await fetch(asString(at.userinfo_endpoint, 'userinfo_endpoint'), { headers }));
      return { operator: operatorOf({ ...userInfo, ...payload }, payload.sub), query: begun.query };
    },
  };

  function operatorOf(claims: Readonly<Record<string, unknown>>, sub: string): LocalOperator {
    const mapped = Object.entries(provider.mapping).map(
      ([attribute, claim]) => [attribute, flat(claims[claim])] as const,
    );
    const attributes = Object.fromEntries(mapped.filter(([, value]) => value !== undefined));
    // As Cognito sends it to functions of a pool that ignores case ("User pool case sensitivity").
    const userName = `${provider.name}_${sub}`.toLowerCase();
    const userAttributes = { ...attributes, 'cognito:user_status': 'EXTERNAL_PROVIDER' };
    return {
      subject: uuidOf(userName),
      email: attributes.email ?? userName,
      claims: claimsOf(provider.roles, { userName, request: { userAttributes, groupConfiguration: {} } }),
    };
  }
}

/** A list as Cognito stores it in one text ("Mapping IdP attributes to profiles and tokens"). */
function flat(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) return String(value);
  return `[${value.map((one) => encodeURIComponent(String(one)).replaceAll('%20', '+')).join(',')}]`;
}

/** Claims that the function before tokens adds to the access token. */
function claimsOf(roles: LocalIdentityProvider['roles'], event: object): Record<string, string> {
  const exports: { handler?: unknown } = {};
  const scope = { exports, process: { env: roles.environment }, event };
  // The source answers with a promise; nothing in it waits.
  runInNewContext(
    `${roles.code}\nexports.handler(event).then((answer) => { exports.answer = JSON.stringify(answer); });`,
    scope,
    {
      microtaskMode: 'afterEvaluate',
    },
  );
  const answer = asObject(
    parseJson(asString(Reflect.get(exports, 'answer'), 'the answer'), 'the answer'),
    'the answer',
  );
  const at = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);
  const details = at(at(answer.response, 'claimsAndScopeOverrideDetails'), 'accessTokenGeneration');
  const claims = at(details, 'claimsToAddOrOverride');
  return Object.fromEntries(Object.entries(isObject(claims) ? claims : {}).map(([name, one]) => [name, String(one)]));
}

/** The same subject for the same person each time, in the form of a UUID. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** @throws Error for an answer that is no JSON object of success */
async function json(response: Response): Promise<JsonObject> {
  const text = await response.text();
  if (!response.ok) throw new Error(`The company's sign-in answered ${response.status}: ${text.slice(0, 200)}`);
  return asObject(parseJson(text, response.url), response.url);
}
