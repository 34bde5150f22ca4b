import { type ConnectionRef, cloudProjectOf, ulid } from '../core/identifiers.ts';
import type { Clock, Random } from '../core/ports.ts';
import type { ProviderId, Providers } from '../providers/provider.rules.ts';
import { UnitsOfCalls } from './api-method.rules.ts';
import { type BackgroundWork, callLine, classOfCall } from './call-line.rules.ts';
import type { Journal } from './ports.ts';

/** A call that the gateway made for itself as the user of a connection. */
export interface BackgroundCall {
  readonly connection: ConnectionRef & { readonly clientId: string };
  readonly provider: ProviderId;
  readonly method: string;
  /** Path and query at the provider. */
  readonly target: string;
  /** Of the answer; undefined where none came. */
  readonly status: number | undefined;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly startedAtMs: number;
}

export interface BackgroundCallsDependencies {
  readonly journal: Journal;
  readonly providers: Providers;
  readonly clock: Clock;
  readonly random: Random;
}

/** Counts what feeds and checks take of the providers' quotas: each of their calls leaves a line, as proxied calls do. */
export class BackgroundCalls {
  readonly #deps: BackgroundCallsDependencies;
  readonly #work: BackgroundWork;
  readonly #units = new UnitsOfCalls();

  constructor(deps: BackgroundCallsDependencies, work: BackgroundWork) {
    this.#deps = deps;
    this.#work = work;
  }

  /** A call has ended, answered or not. */
  made({ connection, provider, method, target, status, bytesIn, bytesOut, startedAtMs }: BackgroundCall): void {
    const { journal, providers, clock, random } = this.#deps;
    const endedAtMs = clock.nowMs();
    const project = cloudProjectOf(connection.clientId);
    const answered = status ?? NO_ANSWER;
    const line = callLine({
      account: connection.accountId,
      integration: connection.integrationId,
      connection: connection.connectionId,
      key: this.#work,
      provider,
      project: project === connection.clientId ? null : project,
      class: classOfCall({ status: answered, isGateways: false, complete: true }),
      status: answered,
      endedAtMs,
      bytesIn,
      bytesOut,
      totalMs: Math.max(0, endedAtMs - startedAtMs),
      refreshed: 0,
      // Also without an answer: the request may have reached the provider.
      units: this.#units.of(providers[provider].methods, { method, target }),
      callId: ulid(endedAtMs, random.bytes(10)),
    });
    journal.append(line);
  }
}

/** Status that a line has where the provider gave none. */
const NO_ANSWER = 504;
