import type { Config } from './config.ts';
import type { Connection } from './connections/connection.rules.ts';
import type { ConnectionLists } from './connections/ports.ts';
import type { GatewayRequest, GatewayResponse, Upstream } from './core/http-message.ts';
import type { Clock, Logger, Metrics, Random, TokenCipher } from './core/ports.ts';
import type { Integration } from './integrations/integration.rules.ts';
import type { BoundCallers } from './keys/ports.ts';
import type { Table } from './platform/dynamodb/client.ts';
import type { LeaseHolderDependencies } from './tokens/lease.ts';
import type { ConnectionRefresher } from './tokens/refresher.ts';

/** What features stand on, in every function. */
export interface FeatureDependencies {
  readonly config: Pick<Config, 'callLog' | 'setting' | 'without'>;
  readonly table: Table;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly cipher: TokenCipher;
  /** Loads what the build has put next to the bundle as `<name>.mjs`. */
  readonly later: <Module>(name: string) => Promise<Module>;
}

/** Work of a feature before a connection is deleted, and before its grant may be revoked. What it throws prevents the deletion. */
export type BeforeDeletion = (
  connection: Connection,
  integration: Integration,
  request: { readonly requestId: string; readonly actor: string },
) => Promise<void>;

/** Opens what a feature adds for callers that act for one end user. */
export type OpenBoundCallers = (deps: Pick<FeatureDependencies, 'config' | 'later'>) => BoundCallers;

/** A bounded amount of work in each tick. It logs its failures and throws none: no refresh depends on it. */
export interface Housekeeping {
  /** Before the refreshes, for what cannot wait: a single look at most ticks. */
  begin?(accountId: string, requestId: string): Promise<void>;
  /** Once the refreshes are done, if they left it time. */
  run?(accountId: string, requestId: string): Promise<void>;
}

/** What features stand on in the refresh function, in addition. */
export interface DueWorkDependencies
  extends Pick<FeatureDependencies, 'table' | 'clock' | 'random' | 'logger' | 'metrics' | 'cipher'>,
    Pick<LeaseHolderDependencies, 'connections' | 'integrations' | 'evidence' | 'audit' | 'endpointsOf'> {
  readonly lists: Pick<ConnectionLists, 'page'>;
  readonly refresher: Pick<ConnectionRefresher, 'refresh'>;
}

/** A feature's work in the refresh function: after all due refreshes, so that it delays none (SH-2), or when the function is asked for it. */
export interface DueWork {
  /** The first of its partitions of the due index, one for each shard. */
  readonly firstPartition: number;
  /** Works on what is due in a shard. @param untilMs work that has not begun by then is postponed */
  sweep(shard: number, untilMs: number, requestId: string): Promise<unknown>;
  /** Member of the function's event that asks for it: `{"<member>": …}`. */
  readonly member: string;
  /**
   * Works on what an event asks for.
   *
   * @param wish value of the member, as it came: anything
   * @returns whether all of it is done; undefined where there is nothing to do
   */
  asked(wish: unknown, untilMs: number, requestId: string): Promise<boolean | undefined>;
}

/** What features stand on in the inbox: neither keys nor secrets. */
export interface InboxDependencies extends Pick<FeatureDependencies, 'table' | 'clock' | 'logger' | 'metrics'> {
  readonly config: Pick<Config, 'setting' | 'without'>;
  readonly upstream: Upstream;
  /** The issuer of the provider that states the end of grants. */
  readonly issuer: string;
  /** Invokes a function with an event and awaits no answer. */
  readonly start: (functionName: string, event: object) => Promise<void>;
}

/** Messages that the inbox takes for a feature. */
export interface Messages {
  /** Their path below the gateway's address. */
  readonly path: string;
  /** @throws GatewayError `not_supported` where the deployment leaves the feature out */
  take(request: GatewayRequest): Promise<GatewayResponse>;
}
