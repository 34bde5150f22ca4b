import type { DeathCause, DeathText } from '../core/grant-death.ts';

/** Addresses of an authorization server and its APIs, as published. A deployment may replace each one. */
export interface ServerAddresses {
  /** RFC 9207's name of the server; its origin for a server without one. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** RFC 7009. Absent: only its user can end a grant. */
  readonly revocationEndpoint?: string;
  /** Absent where `account` does not ask it. */
  readonly userinfoEndpoint?: string;
  /** Absent where no ID tokens come. */
  readonly jwksUri?: string;
  /** Origin of the APIs, without a path. */
  readonly apiBaseUrl: string;
  /** Exchanges identities of other clouds for tokens (RFC 8693). Absent where service accounts have keys only, or there are none. */
  readonly tokenExchangeEndpoint?: string;
  /** The address before a slash, a service account's address and `:signJwt`. */
  readonly serviceAccountsEndpoint?: string;
}

/** Meaning of an error code of the token endpoint. An unlisted error concerns only the token that was sent. */
export type TokenErrorMeaning = 'dead_grant' | 'client_fault' | 'transient';

/** Meaning of an error that ends a flow: who has to act. An unlisted error is shown unchanged. */
export type FlowErrorMeaning =
  | 'refused'
  | 'admin_blocked'
  | 'account_restricted'
  | 'account_protected'
  | 'organization_only'
  | 'sign_in_needed'
  | 'provider_trouble'
  | 'app_misconfigured'
  | 'app_disabled';

/** Errors at the end of a flow, in addition to the standard codes. */
export interface FlowErrors {
  /** For the callback: the meaning of each code. */
  readonly callback: Readonly<Record<string, FlowErrorMeaning>>;
  /** For the callback: a code that has another meaning where its description contains these words, in any case. */
  readonly described?: readonly {
    readonly error: string;
    readonly words: string;
    readonly meaning: FlowErrorMeaning;
  }[];
  /** For the exchange of the code. An unlisted error concerns the code or the client. */
  readonly exchange: Readonly<Record<string, FlowErrorMeaning>>;
}

/** Texts for end users on the page that ends a flow. */
export interface FlowText {
  readonly title: string;
  readonly happened: string;
  /** What to do next, and who. */
  readonly next: string;
}

/** The problem with a refused OAuth client and its fix, for the developer. */
export interface ClientFaultText {
  readonly explanation: string;
  readonly remedy: string;
}

/** Meaning of the token endpoint's answer to a service account's assertion. */
export type DelegationMeaning =
  | 'not_listed'
  | 'scope_not_listed'
  | 'user_restricted'
  | 'admin_policy'
  | 'subject_unknown'
  | 'subject_gone'
  | 'key_refused'
  | 'robot_gone'
  | 'clock'
  | 'scope_unknown';

/** How service accounts act for users (RFC 7523): their form, and the meanings of refused assertions. */
export interface DelegationRules {
  readonly serviceAccounts: { readonly pattern: string; readonly looks: string };
  /** Form of names of workload identity pool providers. */
  readonly pools: { readonly pattern: string; readonly looks: string };
  /** Page where an administrator lists a service account. */
  readonly adminForm: string;
  /** The first match counts: an error, and words of its description in lower case. */
  readonly answers: readonly { readonly error: string; readonly words?: string; readonly meaning: DelegationMeaning }[];
  /** The gateway's codes for faults of a service account; their texts are in `clientFaults`. */
  readonly faults: Readonly<Record<'key' | 'account' | 'federation' | 'signing' | 'scope', string>>;
  /** Texts for a user who gets no token. */
  readonly texts: Readonly<
    Record<
      | 'delegation_pending'
      | 'delegation_missing'
      | 'delegation_incomplete'
      | 'account_restricted'
      | 'admin_restricted'
      | 'account_unavailable'
      | 'subject_unknown',
      DeathText
    >
  >;
}

/** A parameter of an authorization request that a server supports. */
export type OptionalParameter = 'login_hint' | 'hd' | 'hl' | 'include_granted_scopes' | 'select_account';

/**
 * How grants are requested, renewed and ended, as plain data. Providers of one company share one. Omitted members follow RFC 6749, 7009
 * and 7636.
 */
export interface AuthorizationServer {
  /** Lower case with hyphens. Names the settings that replace its addresses. */
  readonly id: string;
  /** Used in sentences for end users and developers. */
  readonly displayName: string;
  readonly addresses: ServerAddresses;
  /** Every spelling of the issuer in callbacks and ID tokens. A deployment with another issuer accepts only that one. */
  readonly issuerSpellings: readonly string[];
  /** Authentication of the client, one method only (RFC 6749 section 2.3.1). @default 'post' */
  readonly clientAuthentication?: 'post' | 'basic';
  /** Form of its client ids: a regular expression, a description, and where to copy one. @default any */
  readonly clientIds?: { readonly pattern: string; readonly looks: string };
  readonly authorization: {
    /** Sent with every request in addition to the standard ones. */
    readonly parameters: Readonly<Record<string, string>>;
    /** Requested in addition to an integration's scopes, to identify the account. */
    readonly identityScopes: readonly string[];
    /** Callers may omit it from scopes. */
    readonly scopePrefix?: string;
    readonly understands: readonly OptionalParameter[];
    /** @default the standard codes alone */
    readonly errors?: FlowErrors;
  };
  /**
   * The source of the account's identity: an ID token, or the user info endpoint, in members of these names, or none. Without one, a
   * connection cannot be compared with the account that reconnects it.
   */
  readonly account:
    | { readonly from: 'id_token' }
    | { readonly from: 'userinfo'; readonly subject: string; readonly email?: string }
    | { readonly from: 'nobody' };
  readonly tokens: {
    /** In addition to the standard codes. */
    readonly errors: Readonly<Record<string, TokenErrorMeaning>>;
    /** What `invalid_client` comes with for a client id that the server does not know; else the secret is wrong. @default both read alike */
    readonly unknownClient?: string;
    /** An answer with status 200 may contain an error. @default false */
    readonly errorsWith200?: boolean;
    /** Life of an access token whose answer names none. @default an hour */
    readonly lifetimeSec?: number;
    /** `refresh_token_expires_in` is the end of the grant, which refreshing does not change. @default false */
    readonly announcesEnd?: boolean;
  };
  readonly grants: {
    /** Ending one grant ends all of the account's for the same project, for every client in it. @default false */
    readonly sharedInProject?: boolean;
    /** The revocation endpoint requires the client's credentials (RFC 7009 section 2.1). @default false */
    readonly revocationNeedsClient?: boolean;
    /** Ends of grants are stated to a receiver of security events (RISC, "Cross-Account Protection"). @default false */
    readonly endsAreStated?: boolean;
    /** Live refresh tokens of one account under one client, beyond which the oldest end. @default no limit */
    readonly refreshTokensPerAccount?: number;
    /** Unpublished apps lose every grant after some days, and scopes are reviewed. @default false */
    readonly hasTestingMode?: boolean;
    /** A grant unused for so long ends. @default it does not */
    readonly unusedLifetimeSec?: number;
    /** Errors and subtypes of the token endpoint that name the cause of a grant's end, even as a word of the description. */
    readonly namedCauses: Readonly<Record<string, DeathCause>>;
    /** Causes in addition to those of every server, and different texts for those. */
    readonly causes: Readonly<Partial<Record<DeathCause, DeathText>>>;
  };
  /** Absent where no service account acts for users. */
  readonly delegation?: DelegationRules;
  /** Where developers manage their OAuth clients, as part of a sentence. @default 'at ' and the name */
  readonly consoleName?: string;
  /** By error code, instead of the general texts. */
  readonly clientFaults?: Readonly<Record<string, ClientFaultText>>;
  /** Reasons of a 403 for a call that needs a scope which was not granted. */
  readonly scopeRefusals?: readonly string[];
  /**
   * By error code: the meaning of a permanent refusal to renew one connection's token. The explanation follows "does not renew the
   * token of this connection (code): ". @default the standard codes' meanings
   */
  readonly refusals?: Readonly<Record<string, ClientFaultText>>;
  /** By kind of failure, instead of the general texts. */
  readonly flowTexts?: Readonly<Record<string, FlowText>>;
}

/** A provider's authorization server and API as this deployment reaches them; never taken from a request. */
export interface ProviderEndpoints {
  readonly server: AuthorizationServer;
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint: string | undefined;
  readonly userinfoEndpoint: string | undefined;
  readonly jwksUri: string | undefined;
  readonly tokenExchangeEndpoint?: string | undefined;
  readonly serviceAccountsEndpoint?: string | undefined;
  /** Origins only, no path. */
  readonly apiOrigin: string;
  /** Origins of APIs on hosts of their own, by the names in the provider's definition. */
  readonly otherOrigins: Readonly<Record<string, string>>;
  /** The provider's own MCP server; undefined without one, or where another server has the API and no MCP server is configured. */
  readonly toolServerEndpoint?: string | undefined;
}

/** Replaces `{provider}` in a general sentence by the server's name. */
export function named(sentence: string, { displayName }: Pick<AuthorizationServer, 'displayName'>): string {
  return sentence.replaceAll('{provider}', displayName);
}

/** Meanings of standard codes (RFC 6749 section 5.2; codes that servers borrow from its section 4.1.2.1 and RFC 8628). */
const STANDARD_ERRORS: Readonly<Record<string, TokenErrorMeaning>> = {
  invalid_grant: 'dead_grant',
  invalid_client: 'client_fault',
  server_error: 'transient',
  temporarily_unavailable: 'transient',
  slow_down: 'transient',
};

/** Meaning of an error code of the token endpoint; undefined for one that concerns the token that was sent. */
export function tokenErrorMeaning(
  error: string,
  { tokens }: Pick<AuthorizationServer, 'tokens'>,
): TokenErrorMeaning | undefined {
  // Codes come from outside, so names of built-in object members must not match.
  return [tokens.errors, STANDARD_ERRORS].find((list) => Object.hasOwn(list, error))?.[error];
}

/** Meanings of standard codes at the callback (RFC 6749 section 4.1.2.1, OpenID Connect Core 3.1.2.6). */
const STANDARD_CALLBACK_ERRORS: Readonly<Record<string, FlowErrorMeaning>> = {
  access_denied: 'refused',
  invalid_request: 'app_misconfigured',
  invalid_scope: 'app_misconfigured',
  unauthorized_client: 'app_misconfigured',
  unsupported_response_type: 'app_misconfigured',
  server_error: 'provider_trouble',
  temporarily_unavailable: 'provider_trouble',
  interaction_required: 'sign_in_needed',
  login_required: 'sign_in_needed',
  account_selection_required: 'sign_in_needed',
  consent_required: 'sign_in_needed',
};

/**
 * Meaning of an error of the callback; undefined for an unlisted one.
 *
 * @param server undefined where the server is unknown: then only the standard codes count
 */
export function callbackErrorMeaning(
  error: string,
  description: string | undefined,
  server: Pick<AuthorizationServer, 'authorization'> | undefined,
): FlowErrorMeaning | undefined {
  const own = server?.authorization.errors;
  const said = description?.toLowerCase() ?? '';
  const described = own?.described?.find((one) => one.error === error && said.includes(one.words.toLowerCase()));
  if (described !== undefined) return described.meaning;
  return [own?.callback ?? {}, STANDARD_CALLBACK_ERRORS].find((list) => Object.hasOwn(list, error))?.[error];
}

/** Meaning of an error of the code exchange beyond the code itself; undefined where the server's definition has none. */
export function exchangeErrorMeaning(
  error: string,
  { authorization }: Pick<AuthorizationServer, 'authorization'>,
): FlowErrorMeaning | undefined {
  const list = authorization.errors?.exchange ?? {};
  return Object.hasOwn(list, error) ? list[error] : undefined;
}
