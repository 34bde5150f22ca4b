/** What a secret key may do. */
export type KeyRight = 'proxy' | 'read' | 'full';

/** A secret key without its text. Times are ISO 8601 UTC. */
export interface SecretKey {
  readonly id: string;
  readonly name: string;
  readonly right: string;
  /** Integrations it is limited to; undefined = all. */
  readonly integrationIds: readonly string[] | undefined;
  readonly canReadCredentials: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | undefined;
  readonly revokedAt: string | undefined;
}

/** A secret key to make. */
export interface NewSecretKey {
  name: string;
  right: KeyRight;
  integrationIds?: readonly string[];
  canReadCredentials?: boolean;
}

/** A provider's answer to a tried call. */
export interface TriedCall {
  readonly status: number;
  /** Content type, empty where there is none. */
  readonly contentType: string;
  /** The body as text, cut at the gateway's limit. */
  readonly body: string;
  readonly truncated: boolean;
  /** How long the provider took, in milliseconds. */
  readonly durationMs: number;
}

/** The operator's own OAuth client of a provider, for testing; its secret is never told. */
export interface TestCredentials {
  readonly provider: string;
  /** Undefined: there are none. */
  readonly clientId: string | undefined;
}
