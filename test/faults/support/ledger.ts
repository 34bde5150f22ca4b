import type {
  IssuedToken,
  ObservedRequest,
  OpenedChannel,
  SimulatorObserver,
} from '../../../packages/simulator/index.ts';

/** A request at the provider, and how it was answered. */
export interface ProviderRequest extends ObservedRequest {
  /** Undefined while unanswered, and where the answer was cut. */
  status: number | undefined;
  readonly startedMs: number;
  /** When the last byte of the answer may leave; undefined while unanswered. */
  endedMs: number | undefined;
  /** Names the caller's request behind it, where that carried a tag. */
  readonly tag: string | undefined;
}

/** Marks requests that a test itself sends to the provider. */
export const HARNESS_HEADER = 'x-fault-harness';
/** Query parameter of Google's APIs that changes nothing of an answer; a request's tag travels in it. */
export const TAG_PARAMETER = 'quotaUser';

/** Everything the provider saw and issued since the start, whatever a row made the simulator forget meanwhile. */
export class Ledger implements SimulatorObserver {
  readonly requests: ProviderRequest[] = [];
  readonly issued = new Map<string, IssuedToken>();
  /** Push channels, closed ones too. */
  readonly channels: OpenedChannel[] = [];
  readonly #bySeq = new Map<number, ProviderRequest>();
  /** Connection key by SHA-256 of the first refresh token of a grant. */
  readonly #owners = new Map<string, string>();

  onRequest(request: ObservedRequest): void {
    if (request.headers.some(([name]) => name.toLowerCase() === HARNESS_HEADER)) return;
    const tag = new URLSearchParams(request.target.split('?')[1]).get(TAG_PARAMETER) ?? undefined;
    const entry = { ...request, status: undefined, startedMs: performance.now(), endedMs: undefined, tag };
    this.requests.push(entry);
    this.#bySeq.set(request.seq, entry);
  }

  onAnswer(seq: number, status: number | undefined): void {
    const entry = this.#bySeq.get(seq);
    if (entry !== undefined) {
      entry.status = status;
      entry.endedMs = performance.now() + (entry.fault?.delayMs ?? 0);
    }
    this.#bySeq.delete(seq);
  }

  onIssued(token: IssuedToken): void {
    this.issued.set(token.sha256, token);
  }

  onChannel(channel: OpenedChannel): void {
    this.channels.push(channel);
  }

  /** Does work in which a connection gets its grant: refresh tokens of a consent issued meanwhile are that connection's. */
  async adopt<T>(work: () => Promise<T>, keyOf: (result: T) => string): Promise<T> {
    const before = this.issued.size;
    const result = await work();
    for (const token of [...this.issued.values()].slice(before)) {
      if (token.kind === 'refresh' && token.parentSha256 === null) this.#owners.set(token.sha256, keyOf(result));
    }
    return result;
  }

  /** Key of the connection a token belongs to; undefined for those of the seed and of flows outside `adopt`. */
  ownerOf(sha256: string | undefined): string | undefined {
    for (let at = sha256; at !== undefined; at = this.issued.get(at)?.parentSha256 ?? undefined) {
      const owner = this.#owners.get(at);
      if (owner !== undefined) return owner;
    }
    return undefined;
  }

  /** Refreshes that reached the token endpoint for a connection. */
  tokenCalls(key: string): ProviderRequest[] {
    return this.requests.filter(
      ({ facts }) => facts.origin === 'token' && facts.path === '/token' && this.ownerOf(facts.tokenSha256) === key,
    );
  }

  /** Token calls that brought new tokens to a connection. */
  refreshes(key: string): number {
    return this.tokenCalls(key).filter(({ status }) => status === 200).length;
  }

  /** Access tokens of a connection, newest first. */
  accessTokens(key: string): IssuedToken[] {
    return [...this.issued.values()]
      .filter(({ kind, sha256 }) => kind === 'access' && this.ownerOf(sha256) === key)
      .toReversed();
  }
}
