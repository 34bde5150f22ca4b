import type { ManagedBy } from './managed-by.ts';
import type { CreateSecretKeyBody } from './wire.ts';

/** Rights of a secret key: proxied calls (`proxy`); also reading integrations and connections (`read`); everything (`full`). */
export type SecretKeyRight = CreateSecretKeyBody['right'];

/** Most of something in a minute or a day; absent = not limited. */
export interface KeyBudget {
  /** Requests to the provider; each part of a batch is one. */
  readonly calls?: number;
  /** Units of the provider's quotas. */
  readonly units?: number;
  /** Bytes of answers. */
  readonly bytes?: number;
}

/** Limits of a key's proxied calls; absent ones do not apply. */
export interface KeyLimits {
  /** `observe` lets every call pass and counts those that `enforce` would refuse. */
  readonly mode: 'observe' | 'enforce';
  /** Methods (`drive.files.get`), groups (`drive.files.*`) and sets (`drive:read`) that may be called. */
  readonly allow?: readonly string[];
  /** The same, that may not be called, whatever is allowed. */
  readonly deny?: readonly string[];
  /**
   * The same, and classes of changes (`delete`, `share`, `invite`, `replace`, `write`), whose calls wait until a person approves them.
   */
  readonly approve?: readonly string[];
  /**
   * Who asks about calls to Google's MCP servers that `approve` covers: Google by its own forms, the gateway, or both.
   *
   * @default gateway
   */
  readonly approval?: 'google' | 'gateway' | 'both';
  /** Ids of the methods that are left, as the gateway worked them out; not sent. */
  readonly methods?: readonly string[];
  readonly integrations?: readonly string[];
  readonly connections?: readonly string[];
  /** Calendars, files and folders that requests may name: `calendar:<id>`, `file:<id>`. Everything else is refused. */
  readonly resources?: readonly string[];
  /** Tags that a connection must have, with their values. */
  readonly endUsers?: Readonly<Record<string, string>>;
  /** Addresses and networks that calls may come from. */
  readonly sources?: readonly string[];
  readonly minute?: KeyBudget;
  /** From midnight to midnight, UTC. */
  readonly day?: KeyBudget;
  /** Every call counts as a background call. */
  readonly priority?: 'background';
  /** ISO 8601. */
  readonly expiresAt?: string;
  /**
   * Changes of its writes are stored for seven days, so that they can be undone; `required`: a write that could not be undone is
   * refused.
   */
  readonly journal?: boolean | 'required';
}

/** A method that limits can name. */
export interface LimitMethod {
  /** The provider's id of it; `#media` where it answers with a file's bytes. */
  readonly id: string;
  /** Such as `drive:read`. */
  readonly set: string;
  readonly meaning: string;
  readonly provider: string;
}

/** Calls of a week that a key's limits would have refused if enforced. Times are ISO 8601 UTC. */
export interface ObservedCalls {
  readonly since: string;
  /** Calls that ended before are counted; undefined = none is yet. */
  readonly countedUntil: string | undefined;
  /** Proxied calls of the key. */
  readonly calls: number;
  /** Those among them that would have been refused. */
  readonly wouldRefuse: number;
  /** The most first. */
  readonly rows: readonly ObservedMethod[];
}

/** Calls of one method that one limit would have refused. */
export interface ObservedMethod {
  /** Such as `methods`, `connections` or `day.units`. */
  readonly limit: string;
  /** The provider's id of the method; undefined where the request is none that limits can name. */
  readonly method: string | undefined;
  readonly calls: number;
  readonly lastAt: string;
}

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
  /** Name of the key or role, or e-mail address of the operator; undefined where it is not known. */
  readonly createdByName: string | undefined;
  /** The key's last characters; undefined on keys made before they were kept. */
  readonly hint: string | undefined;
  readonly lastUsedAt: string | undefined;
  readonly revokedAt: string | undefined;
  /** Whether the request was made with this key. */
  readonly isThisKey: boolean;
  /** Limits of its proxied calls; undefined = none. */
  readonly limits: KeyLimits | undefined;
  /** The IAM role that calls below `/iam` and has no key; undefined = a secret key. */
  readonly roleArn: string | undefined;
  /** Unique id that the role must have; undefined = any. */
  readonly roleId: string | undefined;
  /** The CloudFormation stack that declares a role; undefined = none. */
  readonly managedBy?: ManagedBy | undefined;
  /** Binding of an assistant's key, which works only at `/mcp`; undefined = another key. */
  readonly agent: AgentBinding | undefined;
}

/** One end user's connections that an assistant has, at most one of each provider. */
export interface AgentBinding {
  /** Your id of the end user; undefined: the connections name none. */
  readonly endUserId: string | undefined;
  readonly connections: readonly AgentConnection[];
  /** Tools that it may be given; undefined = all that its limits leave. */
  readonly tools: readonly string[] | undefined;
}

/** A connection that an assistant has. */
export interface AgentConnection {
  readonly integrationId: string;
  readonly connectionId: string;
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
  /** Of keys with the right `proxy`. @default none */
  limits?: KeyLimits;
}

/** An IAM role that is to call instead of a key. */
export interface NewRole extends NewSecretKey {
  /** ARN of one role, without wildcards. */
  roleArn: string;
  /** `RoleId` of `aws iam get-role`, so that a role that is made again under this name does not count. @default any */
  roleId?: string;
}
