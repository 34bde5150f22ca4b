import { control } from '../../support/simulator.ts';
import { reconnect } from '../rows/grants.ts';
import { breakWrite, type FaultWorld, nowSec, REFRESH, type Subject, THROTTLED, writes } from './fault-world.ts';

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

/** A connection and the person who consents for it. */
export interface SoakSubject extends Subject {
  readonly account: string;
}

interface Disturbance {
  readonly name: string;
  /** It may cost a token call: an answer or a lease is lost with a process or a write. */
  readonly loses?: boolean;
  run(world: FaultWorld, subject: SoakSubject): Promise<unknown> | unknown;
}

const API = { origin: 'api' };
const ONCE = { times: 1 };

const DISTURBANCES: readonly Disturbance[] = [
  { name: 'expire', run: (_, subject) => subject.expire() },
  { name: 'expire', run: (_, subject) => subject.expire() },
  { name: 'end soon', run: (_, subject) => subject.set({ accessTokenExpiresAtEpochSec: nowSec() + 60 }) },
  { name: 'fall due', run: (_, subject) => subject.set({ refreshAt: nowSec() - 5, retryAt: nowSec() - 5 }) },
  { name: 'tick', run: (world) => world.gateway.gateway.tick('refresh').catch(() => undefined) },
  {
    name: 'tick twice',
    run: (world) => Promise.allSettled([1, 2].map(() => world.gateway.gateway.tick('refresh'))),
  },
  { name: 'API refuses tokens', run: (world, { account }) => expireTokens(world, account) },
  { name: 'API 500', run: (world) => world.provider(API, { status: 500 }, { times: 3 }) },
  { name: 'API answer cut', run: (world) => world.provider(API, { truncateAfterBytes: 40 }, ONCE) },
  { name: 'API reset after applying', run: (world) => world.provider(API, { closeAfterApply: true }, ONCE) },
  { name: 'API reset before', run: (world) => world.provider(API, { closeBeforeApply: true }, ONCE) },
  { name: 'token 503', run: (world) => world.provider(REFRESH, { status: 503 }, ONCE) },
  { name: 'token reply lost', run: (world) => world.provider(REFRESH, { closeAfterApply: true }, ONCE) },
  { name: 'token reply HTML', run: (world) => world.provider(REFRESH, { rawBody: '<html>' }, ONCE) },
  { name: 'token slow', run: (world) => world.provider({ origin: 'token' }, { delayMs: 400 }, ONCE) },
  broken('lease write reply lost', writes.lease, 'lost', 1),
  broken('token write reply lost', writes.tokens, 'lost', 1),
  broken('token write throttled', writes.tokens, 'throttled', 3),
  broken('token write dropped', writes.tokens, 'dropped', 2),
  broken('release dropped', writes.release, 'dropped', 2),
  broken('transition reply lost', writes.transition, 'lost', 1),
  { name: 'reads throttled', run: (world) => world.table.add(isRead, THROTTLED, 5) },
  { name: 'table away', run: (world) => world.table.add(() => true, { kind: 'drop' }, 10) },
  {
    name: 'secret store away',
    run: ({ aws }) => aws.add((call) => call.operation === 'GetSecretValue', { kind: 'drop' }, 3),
  },
  { name: 'kill', loses: true, run: (world) => signalAny(world, 'SIGKILL') },
  { name: 'freeze', loses: true, run: freezeAny },
  { name: 'key service throttled', run: throttleKeys },
  {
    name: 'trigger repeats',
    run: ({ gateway }) => briefly(gateway.gateway.switches.trigger, { repeat: 2, reverse: true }),
  },
  { name: 'trigger paused', run: ({ gateway }) => briefly(gateway.gateway.switches.trigger, { paused: true }) },
  { name: 'trigger loses its place', run: ({ gateway }) => gateway.gateway.switches.loseStreamPosition() },
  { name: 're-authorize the dead', run: reauthorizeIfDead },
  { name: 're-authorize the dead', run: reauthorizeIfDead },
];

/** One random disturbance of one random connection. @returns its name, and whether it may cost a token call */
export async function disturb(
  world: FaultWorld,
  subjects: readonly SoakSubject[],
  random: () => number,
): Promise<{ readonly name: string; readonly loses: boolean }> {
  const disturbance = DISTURBANCES[Math.floor(random() * DISTURBANCES.length)];
  const subject = subjects[Math.floor(random() * subjects.length)];
  if (disturbance === undefined || subject === undefined) throw new Error('There is nothing to disturb');
  await disturbance.run(world, subject);
  return { name: disturbance.name, loses: disturbance.loses === true };
}

/** The user of a dead connection consents again; under faults that may fail, and is tried another time. */
export async function reauthorizeIfDead(world: FaultWorld, subject: SoakSubject): Promise<void> {
  const { status } = await subject.row();
  if (status === 'reauthorization_required') await reconnect(world, subject, subject.account).catch(() => undefined);
}

function broken(
  name: string,
  kind: Parameters<typeof breakWrite>[2],
  how: 'lost' | 'throttled' | 'dropped',
  times: number,
): Disturbance {
  const action = { lost: { kind: 'apply_then_drop' }, throttled: THROTTLED, dropped: { kind: 'drop' } } as const;
  return { name, loses: true, run: (world, subject) => breakWrite(world, subject, kind, action[how], times) };
}

function isRead({ operation }: { readonly operation: string }): boolean {
  return operation === 'GetItem' || operation === 'BatchGetItem';
}

function expireTokens(world: FaultWorld, account: string): Promise<unknown> {
  return control(world.gateway, 'POST', '/tokens/expire', { kind: 'access', account });
}

/** Signals a process of the proxy, busy or not. */
function signalAny(world: FaultWorld, signal: NodeJS.Signals): number | undefined {
  const child = world.gateway.gateway.children().find(({ functionName }) => functionName === 'proxy');
  if (child !== undefined) process.kill(child.pid, signal);
  return child?.pid;
}

function freezeAny(world: FaultWorld): void {
  const pid = signalAny(world, 'SIGSTOP');
  if (pid === undefined) return;
  setTimeout(() => {
    const isThere = world.gateway.gateway.children().some((child) => child.pid === pid);
    if (isThere) process.kill(pid, 'SIGCONT');
  }, 4_000);
}

function throttleKeys(world: FaultWorld): void {
  briefly(world.gateway.gateway.switches.kms, { throttled: true });
}

/** Puts switches on for half a second. */
function briefly<T extends object>(switches: T | undefined, on: Partial<T>): void {
  if (switches === undefined) return;
  const off = Object.fromEntries(Object.keys(on).map((name) => [name, Reflect.get(CALM, name)]));
  Object.assign(switches, on);
  setTimeout(() => Object.assign(switches, off), 500);
}

const CALM = { throttled: false, paused: false, repeat: 0, reverse: false };
