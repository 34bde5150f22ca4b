import { FORCED_REFRESH_COOL_DOWN_SEC } from '../../lambdas/gateway/core/limits.ts';
import { type FaultWorld, nowSec, REFRESH, type Subject, THROTTLED } from '../faults/support/fault-world.ts';
import { control } from '../support/simulator.ts';

/** Something that goes wrong while calls are under way. */
export interface Trouble {
  readonly name: string;
  /** It does not come again sooner. @default 0 */
  readonly restMs?: number;
  start(world: FaultWorld, subjects: readonly Subject[], random: () => number): Promise<void> | void;
}

const API = { origin: 'api' };
const FUNCTIONS = ['proxy', 'proxy', 'proxy', 'management', 'refresh'] as const;

/** Each kind of trouble of the run; all of them pass by themselves after so many calls. */
export const TROUBLES: readonly Trouble[] = [
  { name: 'a function process is killed', start: (world, _, random) => kill(world, random) },
  { name: 'a function process is killed', start: (world, _, random) => kill(world, random) },
  { name: 'a function process is killed', start: (world, _, random) => kill(world, random) },
  { name: 'the provider answers 503', start: (world) => world.provider(API, { status: 503 }, { times: 12 }) },
  {
    name: 'the provider limits the rate (403)',
    start: (world) => world.provider(API, { apiError: { code: 403, reason: 'userRateLimitExceeded' } }, { times: 12 }),
  },
  { name: 'the provider answers 429', start: (world) => world.provider(API, { status: 429 }, { times: 12 }) },
  { name: 'the provider is slow (1.5 s)', start: (world) => world.provider(API, { delayMs: 1500 }, { times: 20 }) },
  {
    name: 'the provider resets a connection inside a body',
    start: (world) => world.provider(API, { resetAfterBytes: 60 }, { times: 6 }),
  },
  {
    name: 'the provider closes without an answer, call not applied',
    start: (world) => world.provider(API, { closeBeforeApply: true }, { times: 6 }),
  },
  {
    name: 'the provider closes without an answer, call applied',
    start: (world) => world.provider(API, { closeAfterApply: true }, { times: 6 }),
  },
  {
    name: 'access tokens end while in use',
    restMs: 10_000,
    start: endTokens,
  },
  {
    name: 'a token expires and the token endpoint answers 503',
    async start(world, subjects, random) {
      await world.provider(REFRESH, { status: 503 }, { times: 3 });
      await pick(subjects, random).expire();
    },
  },
  { name: 'a token expires', start: (_, subjects, random) => pick(subjects, random).expire() },
  {
    name: 'the table throttles reads',
    start(world) {
      world.table.add(({ operation }) => operation === 'BatchGetItem' || operation === 'GetItem', THROTTLED, 12);
    },
  },
  {
    name: 'the table throttles writes',
    start(world) {
      world.table.add(({ operation }) => operation === 'UpdateItem', THROTTLED, 12);
    },
  },
  {
    name: 'a sweep runs',
    async start(world) {
      // A sweep whose process is killed fails; the next one continues.
      await world.gateway.gateway.tick('refresh').catch(() => undefined);
    },
  },
];

/** Ends the tokens of the accounts that were not refreshed just now: so soon the provider's 401 passes, by design (F30). */
async function endTokens(world: FaultWorld, subjects: readonly Subject[]): Promise<void> {
  const rows = await Promise.all(subjects.map((subject) => subject.row()));
  const justNow = nowSec() - FORCED_REFRESH_COOL_DOWN_SEC;
  const isRecent = (row: Record<string, unknown>) => Number(row.lastRefreshedAtEpochSec ?? 0) >= justNow;
  const spared = new Set(rows.filter(isRecent).map(accountOf));
  for (const account of new Set(rows.map(accountOf))) {
    if (!spared.has(account)) await control(world.gateway, 'POST', '/tokens/expire', { account, kind: 'access' });
  }
}

function accountOf(row: Record<string, unknown>): string {
  const { providerAccount } = row;
  const known = typeof providerAccount === 'object' && providerAccount !== null && 'email' in providerAccount;
  if (!known) throw new Error('A connection of the run does not know its account');
  return String(providerAccount.email);
}

function pick(subjects: readonly Subject[], random: () => number): Subject {
  const subject = subjects[Math.floor(random() * subjects.length)];
  if (subject === undefined) throw new Error('There is no connection to trouble');
  return subject;
}

function kill(world: FaultWorld, random: () => number): void {
  const wanted = FUNCTIONS[Math.floor(random() * FUNCTIONS.length)];
  const children = world.gateway.gateway.children().filter(({ functionName }) => functionName === wanted);
  const child = children[Math.floor(random() * children.length)];
  if (child !== undefined) process.kill(child.pid, 'SIGKILL');
}
