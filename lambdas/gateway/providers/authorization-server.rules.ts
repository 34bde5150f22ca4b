import type { DeathCause, DeathText } from '../core/grant-death.ts';

/** Where an authorization server and the APIs behind it are, as its maker publishes it. A deployment may replace each address. */
export interface ServerAddresses {
  /** RFC 9207's name of the server; for one that names itself nowhere, its origin. */
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** RFC 7009. Absent: a grant can only be ended by its user. */
  readonly revocationEndpoint?: string;
  /** Absent where `account` does not ask it. */
  readonly userinfoEndpoint?: string;
  /** Absent where no ID tokens come. */
  readonly jwksUri?: string;
  /** Origin of the APIs, without a path. */
  readonly apiBaseUrl: string;
  /** Exchanges identities of other clouds for tokens (RFC 8693). Absent where service accounts have keys only, or there are none. */
  readonly tokenExchangeEndpoint?: string;
  /** What stands before a slash, a service account's address and `:signJwt`. */
  readonly serviceAccountsEndpoint?: string;
}

/** What an error code of the token endpoint means. An error that is nowhere in a list belongs to the one token that was sent. */
export type TokenErrorMeaning = 'dead_grant' | 'client_fault' | 'transient';

/** What an error that ends a flow means: whose move it is. An error that is nowhere in a list is shown as it came. */
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

/** How a server says at the end of a flow that it grants nothing, in addition to the standard codes. */
export interface FlowErrors {
  /** Of the callback: what each code means. */
  readonly callback: Readonly<Record<string, FlowErrorMeaning>>;
  /** Of the callback: a code that means something else where its description holds these words, in any case. */
  readonly described?: readonly {
    readonly error: string;
    readonly words: string;
    readonly meaning: FlowErrorMeaning;
  }[];
  /** Of the exchange of the code. An error that is not here is about the code or the client. */
  readonly exchange: Readonly<Record<string, FlowErrorMeaning>>;
}

/** Words for the person in front of the page that ends a flow. */
export interface FlowText {
  readonly title: string;
  readonly happened: string;
  /** Whose move it is, and which. */
  readonly next: string;
}

/** What is wrong with an OAuth client that the server refuses, and how to fix it: for the developer. */
export interface ClientFaultText {
  readonly explanation: string;
  readonly remedy: string;
}

/** What the token endpoint's answer to a service account's assertion means. */
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

/** How service accounts act for users (RFC 7523): what they look like, and what refusals of their assertions mean. */
export interface DelegationRules {
  readonly serviceAccounts: { readonly pattern: string; readonly looks: string };
  /** Names of what takes identities of other clouds. */
  readonly pools: { readonly pattern: string; readonly looks: string };
  /** Page where an administrator lists a service account. */
  readonly adminForm: string;
  /** The first that fits: an error, and words of its description in lower case. */
  readonly answers: readonly { readonly error: string; readonly words?: string; readonly meaning: DelegationMeaning }[];
  /** The gateway's words for what is wrong with a service account; `clientFaults` says what each means. */
  readonly faults: Readonly<Record<'key' | 'account' | 'federation' | 'signing' | 'scope', string>>;
  /** What is said of a user for whom there is no token. */
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

/** A parameter of an authorization request that a server acts on. */
export type OptionalParameter = 'login_hint' | 'hd' | 'hl' | 'include_granted_scopes' | 'select_account';

/**
 * How grants are asked for, renewed and ended, as plain data. Providers of one maker share one. What is left out is as
 * RFC 6749, 7009 and 7636 have it.
 */
export interface AuthorizationServer {
  /** Lower case with hyphens. Names the settings that replace its addresses. */
  readonly id: string;
  /** Stands in sentences that end users and developers read. */
  readonly displayName: string;
  readonly addresses: ServerAddresses;
  /**
   * Every spelling under which the issuer names itself, in callbacks and ID tokens. A deployment with another issuer knows
   * that one spelling only.
   */
  readonly issuerSpellings: readonly string[];
  /** How the client proves itself, one method only (RFC 6749 section 2.3.1). @default 'post' */
  readonly clientAuthentication?: 'post' | 'basic';
  /** Form of its client ids: a regular expression, and what one looks like and where it is copied from. @default any */
  readonly clientIds?: { readonly pattern: string; readonly looks: string };
  readonly authorization: {
    /** Sent with every request in addition to the standard ones. */
    readonly parameters: Readonly<Record<string, string>>;
    /** Asked for in addition to an integration's scopes, to know whose grant it is. */
    readonly identityScopes: readonly string[];
    /** Callers may leave it out when they name scopes. */
    readonly scopePrefix?: string;
    readonly understands: readonly OptionalParameter[];
    /** @default the standard codes alone */
    readonly errors?: FlowErrors;
  };
  /**
   * Who granted access: an ID token says it, or the user info endpoint, in members of these names, or nobody. Where nobody
   * does, a connection cannot be compared with the account that reconnects it.
   */
  readonly account:
    | { readonly from: 'id_token' }
    | { readonly from: 'userinfo'; readonly subject: string; readonly email?: string }
    | { readonly from: 'nobody' };
  readonly tokens: {
    /** In addition to the standard codes. */
    readonly errors: Readonly<Record<string, TokenErrorMeaning>>;
    /** An answer with status 200 may hold an error. @default false */
    readonly errorsWith200?: boolean;
    /** Life of an access token whose answer names none. @default an hour */
    readonly lifetimeSec?: number;
    /** `refresh_token_expires_in` is the end of the grant, which refreshing does not move. @default false */
    readonly announcesEnd?: boolean;
  };
  readonly grants: {
    /** Ending one grant ends all of the account's to the same project, for every client in it. @default false */
    readonly sharedInProject?: boolean;
    /** The revocation endpoint wants the client's credentials (RFC 7009 section 2.1). @default false */
    readonly revocationNeedsClient?: boolean;
    /** Ends of grants are stated to a receiver of security events (RISC, "Cross-Account Protection"). @default false */
    readonly endsAreStated?: boolean;
    /** Live refresh tokens of one account under one client, beyond which the oldest end. @default no limit */
    readonly refreshTokensPerAccount?: number;
    /** Apps that are not published lose every grant after some days, and scopes are reviewed. @default false */
    readonly hasTestingMode?: boolean;
    /** A grant that nobody uses for so long ends. @default it lasts */
    readonly unusedLifetimeSec?: number;
    /** Errors and subtypes of the token endpoint that name why a grant ended, also as a word of the description alone. */
    readonly namedCauses: Readonly<Record<string, DeathCause>>;
    /** Causes in addition to those that every server has, and other words for those. */
    readonly causes: Readonly<Partial<Record<DeathCause, DeathText>>>;
  };
  /** Absent where no service account acts for users. */
  readonly delegation?: DelegationRules;
  /** Where its developers look after their OAuth clients, as part of a sentence. @default 'at ' and the name */
  readonly consoleName?: string;
  /** By error code, instead of what is said of every server. */
  readonly clientFaults?: Readonly<Record<string, ClientFaultText>>;
  /** Reasons of a 403 for a call that needs a scope which was not granted. */
  readonly scopeRefusals?: readonly string[];
  /**
   * By error code: what the token endpoint means where it refuses to renew one connection's token for good. The explanation continues
   * behind "does not renew the token of this connection (code): ". @default what the standard's codes mean
   */
  readonly refusals?: Readonly<Record<string, ClientFaultText>>;
  /** By kind of failure, instead of what is said of every server. */
  readonly flowTexts?: Readonly<Record<string, FlowText>>;
}

/** A provider's authorization server and API as this deployment reaches them; never data of a request. */
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
  /** Of APIs on hosts of their own, by the names in the provider's definition. */
  readonly otherOrigins: Readonly<Record<string, string>>;
  /** The provider's own MCP server; undefined where there is none, or another server has the API and nothing says where its MCP server is. */
  readonly mcpEndpoint?: string | undefined;
}

/** Puts the server's name where a sentence that fits every server has `{provider}`. */
export function named(sentence: string, { displayName }: Pick<AuthorizationServer, 'displayName'>): string {
  return sentence.replaceAll('{provider}', displayName);
}

/** What the standards say of their own codes (RFC 6749 section 5.2; what servers borrow from its section 4.1.2.1 and RFC 8628). */
const STANDARD_ERRORS: Readonly<Record<string, TokenErrorMeaning>> = {
  invalid_grant: 'dead_grant',
  invalid_client: 'client_fault',
  server_error: 'transient',
  temporarily_unavailable: 'transient',
  slow_down: 'transient',
};

/** What an error code of the token endpoint means; undefined for one that is about the token that was sent. */
export function tokenErrorMeaning(
  error: string,
  { tokens }: Pick<AuthorizationServer, 'tokens'>,
): TokenErrorMeaning | undefined {
  // Codes come from outside: one that is named like a member of every object is in no list.
  return [tokens.errors, STANDARD_ERRORS].find((list) => Object.hasOwn(list, error))?.[error];
}

/** What the standards say of their own codes at the callback (RFC 6749 section 4.1.2.1, OpenID Connect Core 3.1.2.6). */
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
 * What an error of the callback means; undefined for one that is in no list.
 *
 * @param server undefined where it is not known who was asked: then the standard codes alone count
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

/** What an error of the code exchange means beyond the code itself; undefined where the server's definition does not say. */
export function exchangeErrorMeaning(
  error: string,
  { authorization }: Pick<AuthorizationServer, 'authorization'>,
): FlowErrorMeaning | undefined {
  const list = authorization.errors?.exchange ?? {};
  return Object.hasOwn(list, error) ? list[error] : undefined;
}
