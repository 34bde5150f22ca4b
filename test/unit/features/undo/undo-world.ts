import { fake } from '../../../../dev/support/fake.ts';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import { journalStore, journalWriter } from '../../../../lambdas/features/undo/journal.store.ts';
import {
  type JournalledCall,
  type WriteJournal,
  writeJournal,
} from '../../../../lambdas/features/undo/journal-writes.ts';
import type { SentRequest } from '../../../../lambdas/features/undo/read-write.rules.ts';
import { type UndoPosition, type UndoReport, undoChanges } from '../../../../lambdas/features/undo/undo-changes.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { readCapped, type UpstreamResponse } from '../../../../lambdas/gateway/core/http-message.ts';
import { sha256Hex } from '../../../../lambdas/gateway/core/identifiers.ts';
import type { Clock } from '../../../../lambdas/gateway/core/ports.ts';
import { openEgress } from '../../../../lambdas/gateway/platform/egress/egress.ts';
import { PROVIDERS } from '../../../../lambdas/gateway/providers/catalogue.ts';
import type { Inverses } from '../../../../lambdas/gateway/providers/inverse.rules.ts';
import { INVERSES } from '../../../../lambdas/gateway/providers/inverses.ts';
import type { ProviderEndpoints } from '../../../../lambdas/gateway/providers/provider.rules.ts';
import { accessTokenContext } from '../../../../lambdas/gateway/tokens/ciphertexts.rules.ts';
import { type Simulator, startSimulator } from '../../../../packages/simulator/index.ts';
import { memoryCipher } from '../../management/support/memory-cipher.ts';
import { connectionRow, integrationRow } from '../../management/support/rows.ts';
import { countingRandom } from '../../management/support/time-and-chance.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of Google's APIs, of which each test reads what it needs.
export type Json = any;

/** Whose call it is: of the journalled key, or of somebody whose changes are in no journal. */
export type Who = 'agent' | 'person';

/** What an exchange with the provider becomes; throw to lose it. */
export type Wire = (send: () => Promise<UpstreamResponse>, method: string, path: string) => Promise<UpstreamResponse>;

/** One connection stands for both of the user's. */
const BOTH: Inverses = {
  restReasons: /rateLimitExceeded/,
  methods: { ...INVERSES['google-drive']?.methods, ...INVERSES['google-calendar']?.methods },
  kinds: { ...INVERSES['google-drive']?.kinds, ...INVERSES['google-calendar']?.kinds },
  sameId: (kind, ids, email) => INVERSES['google-calendar']?.sameId?.(kind, ids, email) ?? ids,
};

const KEY = { keyHash: sha256Hex('agent') };
export const KEY_ID = KEY.keyHash.slice(0, 12);

/** The journal and the undo of one key in memory, at a simulator. */
export class UndoWorld implements AsyncDisposable {
  readonly table = new MemoryTable();
  readonly told: Json[] = [];
  readonly failures: string[] = [];
  /** Passes every exchange of the agent and of undos. */
  wire: Wire = (send) => send();
  /** Passes every call of the journal's table that an undo makes. */
  step: (call: () => Promise<object>) => Promise<object> = (call) => call();
  journal: true | 'required' = true;
  readonly #simulator: Simulator;
  readonly #token: string;
  readonly #connection: Connection;
  readonly #random = countingRandom();
  #journal: WriteJournal | undefined;
  readonly #egress = openEgress(true);
  aheadMs = 0;
  readonly clock: Clock = { nowMs: () => Date.now() + this.aheadMs };

  private constructor(simulator: Simulator, token: string, connection: Connection) {
    this.#simulator = simulator;
    this.#token = token;
    this.#connection = connection;
  }

  static async start(): Promise<UndoWorld> {
    const clientId = '900-test.apps.googleusercontent.com';
    const simulator = await startSimulator({
      clients: [{ clientId, clientSecret: 'secret', redirectUris: ['http://localhost/cb'] }],
    });
    const minted = await fetch(`${simulator.url}/__sim/tokens`, {
      method: 'POST',
      body: JSON.stringify({ account: 'first.user@example.com' }),
    });
    const { access_token: token }: { access_token: string } = JSON.parse(await minted.text());
    const ref = { accountId: 'default', integrationId: 'drive', connectionId: 'first' };
    const connection = await connectionRow({
      encryptedAccessToken: await memoryCipher.encrypt(accessTokenContext(ref), token),
      accessTokenExpiresAtEpochSec: Math.floor(Date.now() / 1000) + 3600,
    });
    return new UndoWorld(simulator, token, connection);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#egress.close();
    await this.#simulator.close();
  }

  get origin(): string {
    return this.#simulator.endpoints.api_base_url;
  }

  readonly #upstream = {
    send: (request: Parameters<ReturnType<typeof openEgress>['send']>[0]) =>
      this.wire(() => this.#egress.send(request), request.method, request.path),
    close: () => {},
  };

  #exchange({ method, target, headers, body }: SentRequest, isJournalled: boolean): Promise<UpstreamResponse> {
    const via = isJournalled ? this.#upstream : this.#egress;
    return via.send({
      origin: this.origin,
      method,
      path: target,
      headers: [...headers, ['authorization', `Bearer ${this.#token}`]],
      body,
      firstByteTimeoutMs: 5_000,
      idleTimeoutMs: 5_000,
      totalTimeoutMs: 5_000,
    });
  }

  /** Requests of one call, sent together where there are several. */
  async send(who: Who, request: SentRequest, batch?: readonly SentRequest[]): Promise<Json> {
    const provider = request.target.includes('calendar') ? 'google-calendar' : 'google-drive';
    let attempts = 0;
    const go = () => {
      attempts++;
      return this.#exchange(request, who === 'agent');
    };
    const call: JournalledCall = {
      caller: {
        key: { ...KEY, limits: { v: 1, mode: 'enforce', journal: this.journal } },
        integration: { provider },
        live: { connection: this.#connection },
      },
      requestId: 'r',
      requests: batch ?? [request],
      isBatch: batch !== undefined,
      attempts: () => attempts,
      read: (asked) => {
        const request =
          typeof asked === 'string'
            ? { method: 'GET', target: asked, headers: [['accept-encoding', 'identity']] as const }
            : asked;
        return this.#exchange(request, true);
      },
    };
    this.#journal ??= writeJournal({ ...this.#deps(), rows: journalWriter(this.table.table) });
    const answer = who === 'agent' ? await this.#journal.around(call, go) : await go();
    const text = (await readCapped(answer.body, 50_000_000)) ?? '';
    const isJson = answer.headers.some(([name, value]) => /content-type/i.test(name) && value.includes('json'));
    return { status: answer.status, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
  }

  /** A call that must succeed, with its JSON. */
  async ask(who: Who, method: string, target: string, body?: Json, type = 'application/json'): Promise<Json> {
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const headers = bytes === undefined ? [] : ([['content-type', type]] as const);
    const answer = await this.send(who, { method, target, headers, body: bytes });
    if (answer.status >= 300) throw new Error(`${method} ${target}: ${answer.status} ${answer.text}`);
    return answer.body ?? answer.text;
  }

  #deps() {
    const endpoints = fake<ProviderEndpoints>({ apiOrigin: this.origin });
    return {
      cipher: memoryCipher,
      providers: PROVIDERS,
      inverses: { 'google-drive': BOTH, 'google-calendar': BOTH },
      toolInverses: {},
      pinnedLists: { read: async () => undefined },
      clock: this.clock,
      random: this.#random,
      metrics: { count: (name: string) => this.failures.push(name) },
      logger: {
        info: () => {},
        warn: (message: string, fields: object = {}) => this.failures.push(`${message} ${JSON.stringify(fields)}`),
        error: (message: string) => this.failures.push(message),
      },
      endpointsOf: () => endpoints,
    };
  }

  /** One request of an undo. */
  undoOnce(
    sinceMs: number,
    options: {
      readonly dryRun?: boolean;
      readonly from?: UndoPosition;
      readonly of?: 'key' | 'connection';
      readonly only?: string;
    } = {},
  ): Promise<UndoReport> {
    const { accountId, integrationId, connectionId, provider } = this.#connection;
    const integrations = { get: async () => integrationRow({ provider }) };
    return undoChanges(
      {
        ...this.#deps(),
        journal: journalStore(
          this.table.through((call) => this.step(call)),
          this.clock,
        ),
        upstream: this.#upstream,
        counted: { made: () => {} },
        refresher: { refresh: () => Promise.reject(new Error('No token is refreshed here')) },
        connections: fake({ read: async () => this.#connection }),
        integrations: fake(integrations),
        unconfirmed: { read: async () => undefined },
        audit: { append: async (event) => void this.told.push(event) },
      },
      {
        of: options.of === 'connection' ? { accountId, integrationId, connectionId } : { accountId, keyId: KEY_ID },
        fromMs: sinceMs,
        untilMs: this.clock.nowMs() + 1_000,
        only: options.only,
        dryRun: options.dryRun ?? false,
        from: options.from,
      },
      { requestId: 'undo', actor: 'operator:1' },
    );
  }

  /** An undo to the end of the range. */
  async undo(sinceMs: number, options: { readonly dryRun?: boolean } = {}): Promise<Omit<UndoReport, 'next'>> {
    const all = { undone: [] as Json[], conflicts: [] as Json[], notUndoable: [] as Json[] };
    let from: UndoPosition | undefined;
    do {
      const { next, ...report } = await this.undoOnce(sinceMs, { ...options, ...(from && { from }) });
      all.undone.push(...report.undone);
      all.conflicts.push(...report.conflicts);
      all.notUndoable.push(...report.notUndoable);
      from = next;
    } while (from !== undefined);
    return all;
  }

  /** Rows of the journal, newest first. */
  rows(): Json[] {
    return [...this.table.items.values()]
      .filter(({ pk }) => String(pk).startsWith('JOURNAL#'))
      .toSorted((a, b) => (String(a.sk) < String(b.sk) ? 1 : -1));
  }
}
