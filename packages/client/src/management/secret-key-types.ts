import type { CreateSecretKeyBody } from './wire.ts';

/** What a secret key may do: proxied calls (`proxy`); also reading integrations and connections (`read`); everything (`full`). */
export type SecretKeyRight = CreateSecretKeyBody['right'];

/** A secret key without its text, which the gateway does not store. Times are ISO 8601 UTC. */
export interface SecretKey {
  /** SHA-256 of the key, hex. */
  readonly id: string;
  readonly name: string;
  /** `proxy`, `read` or `full`. */
  readonly right: string;
  /** Integrations it is limited to; undefined = all. */
  readonly integrationIds: readonly string[] | undefined;
  readonly canReadCredentials: boolean;
  readonly createdAt: string;
  /** `key:<start of its id>`, `operator:<id>`, or `gateway` for the first key; undefined where it is not known. */
  readonly createdBy: string | undefined;
  /** The key's last characters; undefined on keys made before they were kept. */
  readonly hint: string | undefined;
  readonly lastUsedAt: string | undefined;
  readonly revokedAt: string | undefined;
  /** Whether the request was made with this key. */
  readonly isThisKey: boolean;
}

/** A secret key that was just made. */
export interface CreatedSecretKey extends SecretKey {
  /** The key itself, shown this once. */
  readonly secretKey: string;
}

/** A secret key to make. */
export interface NewSecretKey {
  name: string;
  right: SecretKeyRight;
  /** @default all */
  integrationIds?: readonly string[];
  /** Only an operator, or a key that has it, can give it. @default false */
  canReadCredentials?: boolean;
}
