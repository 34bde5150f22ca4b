/**
 * Makes calls of the book of calls, with nothing around it: `node dev/bench/book-process.ts <rounds> <calls>`, started by the
 * measure `book`. Lines of calls go to standard output as in the function; what was measured goes to the parent process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Call, CallBook } from '../../lambdas/gateway/calls/book.ts';
import { LimitsJudge } from '../../lambdas/gateway/calls/judge-limits.ts';
import { ProxyPacing } from '../../lambdas/gateway/calls/proxy-pacing.ts';
import type { GatewayRequest } from '../../lambdas/gateway/core/http-message.ts';
import type { Caller } from '../../lambdas/gateway/keys/authenticate-caller.ts';
import { storedLimits } from '../../lambdas/gateway/keys/key-limits.rules.ts';
import { systemClock, systemRandom } from '../../lambdas/gateway/platform/clock.ts';
import { writeLine } from '../../lambdas/gateway/platform/telemetry.ts';
import { PROVIDERS } from '../../lambdas/gateway/providers/catalogue.ts';
import { CHANGES } from '../../lambdas/gateway/providers/changes.ts';
import { methodsLeft } from '../../lambdas/gateway/providers/method-names.rules.ts';
import { CALL_HEADERS, SMALL_TARGET, sampleRecords } from './sample.ts';
import { interleaved } from './statistics.ts';

/** Processor time of a call in microseconds, round by round. */
export interface BookRounds {
  /** `begin`, what the proxy reports of a call, `ended`, and its line. */
  readonly book: readonly number[];
  /** A line of the same length, made of an object and written. */
  readonly line: readonly number[];
  readonly lineBytes: number;
  /** The judgement of a call of a key that is limited by methods, integrations, connections and units a day. */
  readonly judgement: readonly number[];
}

const UNLIMITED = { perKey: 0, perConnection: 0, perAddress: 0, longPerKey: 50, longPerConnection: 20 };
/** Calls at once: their lines fit into a pipe, so that each is written at once, as in a function that takes one call at a time. */
const BURST = 50;
const BODY = Buffer.alloc(1_000);

function openBook(append: (line: string) => void): CallBook {
  return new CallBook(
    {
      totals: { add: async () => 0 },
      lines: { append },
      callLog: { write: async () => {}, count: async () => 0 },
      callLogMode: 'errors',
      openJudge: async (deps) =>
        new LimitsJudge({ ...deps, changes: CHANGES, thresholds: { report: async () => true } }),
      openPacing: async (deps) => new ProxyPacing(deps),
      newItems: { putNew: async () => true },
      callFaults: { mark: async () => {}, clear: async () => {} },
      providers: PROVIDERS,
      clock: systemClock,
      random: systemRandom,
      metrics: { count: () => {} },
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    },
    UNLIMITED,
  );
}

/** A warm, successful call, as the proxy records it. */
function makeCall(book: CallBook, request: GatewayRequest, caller: Caller): Call {
  const call = book.begin(request);
  call.isFrom(caller);
  call.asked = [{ method: 'GET', target: SMALL_TARGET }];
  call.attempts = 1;
  call.passed(BODY);
  call.ended(200, true);
  return call;
}

/** Each of the works so many times in every round, in turns: microseconds of one, round by round. */
async function measured(works: readonly (() => void)[], rounds: number, times: number): Promise<number[][]> {
  const perWork = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const index of interleaved(works.length, round)) {
      const work = works[index];
      if (work !== undefined) perWork[index]?.push(await microsecondsOf(work, times));
    }
  }
  return perWork;
}

async function microsecondsOf(work: () => void, times: number): Promise<number> {
  let sum = 0;
  for (let counted = 0; counted < times; ) {
    const before = process.cpuUsage();
    for (let made = 0; made < BURST; made++) work();
    const { user, system } = process.cpuUsage(before);
    // A line that found the pipe full would be written later, and not be measured.
    if (process.stdout.writableLength === 0) {
      sum += user + system;
      counted += BURST;
    }
    // Anyone who reads the lines catches up.
    do await delay(1);
    while (process.stdout.writableLength > 0);
  }
  return sum / times;
}

const [rounds = 9, calls = 20_000] = process.argv.slice(2).map(Number);
const { key, integration, connection } = await sampleRecords(Date.now());
const caller: Caller = { key, integration, live: { connection, accessToken: undefined } };
const request: GatewayRequest = {
  ...{ method: 'GET', rawPath: `/proxy${SMALL_TARGET.split('?')[0]}`, query: [], body: undefined },
  headers: Object.entries(CALL_HEADERS),
  ...{ requestId: 'bench', sourceIp: '127.0.0.1' },
};
let sample = '';
makeCall(
  openBook((line) => {
    sample = line;
  }),
  request,
  caller,
);
const record: unknown = JSON.parse(sample);
const judge = new LimitsJudge({
  totals: { add: async () => 0 },
  clock: systemClock,
  random: systemRandom,
  logger: { info: () => {}, warn: () => {}, error: () => {} },
  changes: CHANGES,
  thresholds: { report: async () => true },
});
const { methods = [], methodMeanings = [] } = PROVIDERS[integration.provider];
const named = { allow: ['drive:read'] };
const limitedKey = {
  ...key,
  limits: storedLimits({
    mode: 'enforce',
    ...named,
    methods: methodsLeft(named, methodMeanings) ?? [],
    integrations: [integration.integrationId],
    connections: [connection.connectionId],
    day: { units: Number.MAX_SAFE_INTEGER },
  }),
};
const asked = [{ method: 'GET', target: SMALL_TARGET }];
const { integrationId, connectionId } = connection;
const judgeCall = () => {
  const nowMs = systemClock.nowMs();
  const refused =
    judge.reach(limitedKey, { sourceIp: '127.0.0.1', integrationId, connectionId, tags: {} }, nowMs) ??
    judge.ask({ key: limitedKey, integration, connection }, { methods, requests: asked }, nowMs);
  if (refused !== undefined) throw new Error(`The judge refuses the sample: ${refused.message}`);
};
const book = openBook(writeLine);
const works = [() => void makeCall(book, request, caller), () => writeLine(JSON.stringify(record)), judgeCall];
await measured(works, 2, calls);
const [ofBook = [], ofLine = [], judgement = []] = await measured(works, rounds, calls);
process.send?.({ book: ofBook, line: ofLine, lineBytes: sample.length, judgement } satisfies BookRounds);
process.disconnect();
