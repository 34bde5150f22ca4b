import { breakWrite, type FaultWorld, nowSec, type Subject, writes } from './fault-world.ts';

/** A repeatable stream of numbers in [0, 1): mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Disturbance = (world: FaultWorld, subject: Subject) => Promise<unknown> | unknown;

const REFRESH = { origin: 'token', tokenKind: 'refresh' };
const THROTTLED = { kind: 'error', name: 'ProvisionedThroughputExceededException' } as const;
const ONCE = { times: 1 };

const DISTURBANCES: readonly Disturbance[] = [
  (_, subject) => subject.expire(),
  (_, subject) => subject.set({ accessTokenExpiresAtEpochSec: nowSec() + 60 }),
  (_, subject) => subject.set({ refreshAt: nowSec() - 5, retryAt: nowSec() - 5 }),
  (world) => world.gateway.gateway.tick('refresh').catch(() => undefined),
  (world) => world.provider(REFRESH, { status: 503 }, ONCE),
  (world) => world.provider(REFRESH, { closeAfterApply: true }, ONCE),
  (world) => world.provider(REFRESH, { rawBody: '<html>', contentType: 'text/html' }, ONCE),
  (world) => world.provider(REFRESH, { rotateRefreshToken: 'grace' }, ONCE),
  (world) => world.provider(REFRESH, { rotateRefreshToken: 'strict' }, ONCE),
  (world) => world.provider({ origin: 'token' }, { delayMs: 400 }, ONCE),
  (world) => world.provider({ origin: 'api' }, { status: 500 }, { times: 3 }),
  (world, subject) => breakWrite(world, subject, writes.lease, { kind: 'apply_then_drop' }),
  (world, subject) => breakWrite(world, subject, writes.tokens, { kind: 'apply_then_drop' }),
  (world, subject) => breakWrite(world, subject, writes.tokens, THROTTLED, 3),
  (world, subject) => breakWrite(world, subject, writes.tokens, { kind: 'drop' }, 2),
  (world, subject) => breakWrite(world, subject, writes.release, { kind: 'drop' }, 2),
  (world, subject) => breakWrite(world, subject, writes.transition, { kind: 'apply_then_drop' }),
  killAny,
  (world) => {
    const { kms } = world.gateway.gateway.switches;
    kms.throttled = true;
    setTimeout(() => {
      kms.throttled = false;
    }, 500);
  },
];

/** One random disturbance of one random connection. */
export async function disturb(world: FaultWorld, subjects: readonly Subject[], random: () => number): Promise<void> {
  const disturbance = DISTURBANCES[Math.floor(random() * DISTURBANCES.length)];
  const subject = subjects[Math.floor(random() * subjects.length)];
  if (disturbance === undefined || subject === undefined) throw new Error('There is nothing to disturb');
  await disturbance(world, subject);
}

/** Ends a process of the proxy, busy or not. */
function killAny(world: FaultWorld): void {
  const child = world.gateway.gateway.children().find(({ functionName }) => functionName === 'proxy');
  if (child !== undefined) process.kill(child.pid, 'SIGKILL');
}
