import type { Logger } from '../gateway/core/ports.ts';

/** An answer of the management API. */
export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON. */
  readonly body: unknown;
  readonly retryAfterSec?: number | undefined;
}

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Percent-encoded, without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The management API, called as one resource of a stack. */
export type Api = (call: ApiCall) => Promise<ApiAnswer>;

/** Which version of a secret (Secrets Manager, "Version stages"). */
export type SecretStage = 'AWSCURRENT' | 'AWSPREVIOUS';

/** The secrets of the stacks that granted access to them. */
export interface StackSecrets {
  /** @returns undefined where there is no such secret or version, or it is empty @throws Error without access */
  read(arn: string, stage?: SecretStage): Promise<string | undefined>;
  /** @throws Error without access */
  write(arn: string, value: string): Promise<void>;
}

/** What the work on one resource stands on. */
export interface Declaring {
  readonly api: Api;
  readonly secrets: StackSecrets;
  readonly logger: Logger;
  readonly stack: { readonly stackId: string; readonly resource: string };
}

/** What a resource has become. */
export interface Declared {
  /** CloudFormation deletes the resource of the former id when this differs from it. */
  readonly physicalId: string;
  /** What `Fn::GetAtt` returns; nothing secret. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What a resource declares next to what the gateway has, by the names of the API. */
export interface Compared {
  readonly declared: Readonly<Record<string, unknown>>;
  readonly now: Readonly<Record<string, unknown>>;
}

/** One kind of resource. Each step may be repeated and continues where the former attempt stopped. */
export interface Kind<Properties> {
  /** @throws DeclarationError @returns Properties of a stack's event, whose values are all texts */
  read(properties: Readonly<Record<string, unknown>>): Properties;
  create(declaring: Declaring, wanted: Properties): Promise<Declared>;
  /** @param former properties before the update, as sent */
  update(
    declaring: Declaring,
    wanted: Properties,
    physicalId: string,
    former: Readonly<Record<string, unknown>>,
  ): Promise<Declared>;
  /** Deletes what this resource created; anything else stays as it is. @param properties as sent, perhaps of a create that failed */
  remove(declaring: Declaring, physicalId: string, properties: Readonly<Record<string, unknown>>): Promise<void>;
  /** @returns undefined where the gateway has no such resource */
  compare(declaring: Declaring, wanted: Properties, physicalId: string): Promise<Compared | undefined>;
}
