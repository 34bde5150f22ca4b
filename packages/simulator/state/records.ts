import { flag, listOf, nullable, number, object, oneOf, optional, type Parser, text } from '../parse.ts';

/** Ways a grant ends; some also decide what the token endpoint says afterwards. */
const DEATH_REASONS = [
  'user_revoked',
  'password_change',
  'admin_policy',
  'account_restricted',
  'advanced_protection',
  'session_length',
  'reauthentication',
  'account_disabled',
  'account_deleted',
  'client_deleted',
  'client_disabled',
  'testing_7_days',
  'six_months',
  'time_limit',
  'over_100_tokens',
  'rotated',
] as const;
export type DeathReason = (typeof DEATH_REASONS)[number];

/** A registered OAuth client; the secret is kept as SHA-256 hex only. */
const clientRecord = object({
  clientId: text,
  secretSha256: text,
  redirectUris: listOf(text),
  publishingStatus: oneOf('testing', 'production'),
  audience: oneOf('external', 'internal'),
  deleted: flag,
  disabled: optional(flag),
});
export type ClientRecord = ReturnType<typeof clientRecord>;

/** What one user granted to one Cloud project, over all its clients. */
const grantRecord = object({ project: text, sub: text, scopes: listOf(text), consentedAtMs: number });
export type GrantRecord = ReturnType<typeof grantRecord>;

/** A refresh token, living or dead; the token itself is kept as SHA-256 hex only. */
const refreshTokenRecord = object({
  sha256: text,
  clientId: text,
  sub: text,
  scopes: listOf(text),
  consentedAtMs: number,
  issuedAtMs: number,
  lastUsedAtMs: number,
  /** Issued while the app was in Testing: such a token ends seven days after consent, also once the app is published. */
  issuedInTesting: optional(flag),
  /** End of time-limited access or of the grace after a rotation. */
  expiresAtMs: nullable(number),
  death: nullable(oneOf(...DEATH_REASONS)),
});
export type RefreshTokenRecord = ReturnType<typeof refreshTokenRecord>;

/** An access token; `refreshTokenSha256` names the refresh token of the same authorization, if it has one. */
const accessTokenRecord = object({
  sha256: text,
  clientId: text,
  sub: text,
  scopes: listOf(text),
  consentedAtMs: number,
  issuedAtMs: number,
  expiresAtMs: number,
  refreshTokenSha256: nullable(text),
  revoked: flag,
});
export type AccessTokenRecord = ReturnType<typeof accessTokenRecord>;

/** A block of one user, for one client or (null) for all: by an administrator's policy, a restriction of the account, or Advanced Protection. */
const adminBlockRecord = object({
  sub: text,
  clientId: nullable(text),
  reason: optional(oneOf('admin_policy', 'account_restricted', 'advanced_protection')),
});
export type AdminBlockRecord = ReturnType<typeof adminBlockRecord>;

/** A file that a user picked for a Cloud project, and the consent that brought it. */
const pickRecord = object({ project: text, sub: text, fileId: text, consentedAtMs: number });
export type PickRecord = ReturnType<typeof pickRecord>;

/** How picks behave where Google does not say. */
export const pickerRules = object({ foldersOpenChildren: flag, grantsHoldFor: oneOf('project', 'authorization') });
export type PickerRules = ReturnType<typeof pickerRules>;

/** The RSA key that signs ID tokens, as a private JWK. */
export const signingKeyRecord = object({
  kty: oneOf('RSA'),
  kid: text,
  n: text,
  e: text,
  d: text,
  p: text,
  q: text,
  dp: text,
  dq: text,
  qi: text,
});
export type SigningKeyRecord = ReturnType<typeof signingKeyRecord>;

/** Version of the state file. A later one is refused; of an older one, what reads as this version does is taken over. */
export const STATE_VERSION = 2;

/** The OAuth half of the state file. */
export const oauthStateRecord: Parser<OAuthStateRecord> = object({
  clients: listOf(clientRecord),
  grants: listOf(grantRecord),
  refreshTokens: listOf(refreshTokenRecord),
  accessTokens: listOf(accessTokenRecord),
  disabledSubs: listOf(text),
  adminBlocks: listOf(adminBlockRecord),
  /** Absent in files of before the picker. */
  picks: optional(listOf(pickRecord)),
  signingKey: nullable(signingKeyRecord),
  clockOffsetSec: number,
  clockFixedMs: optional(nullable(number)),
  /** False for a world that starts without generated files and events. */
  generated: optional(flag),
});

/** See {@link oauthStateRecord}. */
export interface OAuthStateRecord {
  clients: ClientRecord[];
  grants: GrantRecord[];
  refreshTokens: RefreshTokenRecord[];
  accessTokens: AccessTokenRecord[];
  disabledSubs: string[];
  adminBlocks: AdminBlockRecord[];
  picks?: PickRecord[] | undefined;
  signingKey: SigningKeyRecord | null;
  clockOffsetSec: number;
  clockFixedMs: number | null | undefined;
  generated: boolean | undefined;
}

/** How security events name a refresh token: its first 16 characters, and the hash of its hash. */
export const tokenIdentifiersRecord = object({ sha256: text, prefix: text, hash_base64_sha512_sha512: text });
export type TokenIdentifiersRecord = ReturnType<typeof tokenIdentifiersRecord>;

/** Where Google delivers the security events of a Cloud project. */
export const streamRecord = object({
  project: text,
  url: text,
  events: listOf(text),
  status: oneOf('enabled', 'disabled'),
});
export type StreamRecord = ReturnType<typeof streamRecord>;

/** A service account of a Cloud project: its address, and its public key as PEM by the key's id. */
export const serviceAccountRecord = object({ email: text, project: text, keyId: text, publicKey: text });
export type ServiceAccountRecord = ReturnType<typeof serviceAccountRecord>;
