/** Simulators whose every answer is judged by Google's discovery documents, and users signed in at them. */
import { afterEach, test as base, expect } from 'vitest';
import { judgeAnswer } from '../../../dev/support/judge-answers.ts';
import {
  type Simulator,
  type SimulatorObserver,
  type SimulatorOptions,
  startSimulator,
} from '../../../packages/simulator/index.ts';
import { CLIENT, EDITOR, FIRST, SECOND, VIEWER } from './names.ts';
import { type Json, jsonInit, readJson, record, records, text } from './values.ts';

const running = new Set<Simulator>();
const problems: string[] = [];

/** Expects that every answer since the last look kept to the schemas of the discovery documents. */
export function noProblems(): void {
  expect(problems.splice(0), 'answers that break the schemas of the discovery documents').toEqual([]);
}

afterEach(async () => {
  await Promise.all([...running].map((simulator) => simulator.close()));
  running.clear();
  noProblems();
});

/** An observer that judges every answer, and passes everything else to another one. */
export function judged(observer?: Partial<SimulatorObserver>): SimulatorObserver {
  return {
    onRequest: (request) => observer?.onRequest?.(request),
    onAnswer: (seq, status) => observer?.onAnswer?.(seq, status),
    onIssued: (token) => observer?.onIssued?.(token),
    onResource: (resource) => problems.push(...judgeAnswer(resource)),
  };
}

/** A simulator with {@link CLIENT}, closed after the test. */
export async function startTestSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ clients: [CLIENT], ...options, observer: judged(options.observer) });
  running.add(simulator);
  return simulator;
}

/** Status and first reason of an API error. */
export async function apiFailure(response: Response) {
  const error = record((await readJson(response)).error);
  const [first] = records(error.errors);
  expect(error.code).toBe(response.status);
  return { status: response.status, reason: first?.reason, message: error.message, location: first?.location };
}

/** A control call. */
export async function control(simulator: Simulator, method: string, path: string, body?: unknown): Promise<Json> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await fetch(`${simulator.url}/__sim/${path}`, init);
  const answer = await readJson(response);
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

/** Calls of the API with a token; redirects and 308 come back as they are. */
export function callsOf(simulator: Simulator, accessToken: string) {
  const call = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${accessToken}`);
    return fetch(simulator.endpoints.api_base_url + path, { redirect: 'manual', ...init, headers });
  };
  /** The answer of a call that must succeed. */
  const json = async (path: string, init: RequestInit = {}) => {
    const response = await call(path, init);
    expect(response.status, path).toBe(200);
    return readJson(response);
  };
  const status = async (path: string, init: RequestInit = {}) => (await call(path, init)).status;
  const failure = async (path: string, init: RequestInit = {}) => apiFailure(await call(path, init));
  return {
    call,
    json,
    status,
    failure,
    post: (path: string, body: unknown) => json(path, jsonInit('POST', body)),
    patch: (path: string, body: unknown) => json(path, jsonInit('PATCH', body)),
    put: (path: string, body: unknown) => json(path, jsonInit('PUT', body)),
    /** Id of what a POST makes. */
    make: async (path: string, body: unknown) => text((await json(path, jsonInit('POST', body))).id),
    /** Status of a deletion. */
    remove: (path: string) => status(path, { method: 'DELETE' }),
    /** Status and first reason of a call that must fail, as `404 notFound`. */
    refusal: async (path: string, init: RequestInit = {}) => {
      const { status: code, reason } = await failure(path, init);
      return `${code} ${String(reason)}`;
    },
    /** The objects in a member of an answer, by default `items`. */
    list: async (path: string, member = 'items') => records((await json(path))[member]),
    /** The files that a search finds. */
    search: async (q: string, more = '') =>
      records((await json(`/drive/v3/files?${new URLSearchParams({ q })}${more}`)).files),
  };
}

/** A user who is signed in. */
export type User = Awaited<ReturnType<typeof signIn>>;

interface SignIn {
  account?: string;
  /** @default Drive and Calendar */
  scope?: string | undefined;
  /** @default the first client */
  clientId?: string;
}

/** Signs a user in as the control route does, without the pages of a consent. */
export async function signIn(simulator: Simulator, { account = FIRST, scope, clientId }: SignIn = {}) {
  const tokens = await control(simulator, 'POST', 'tokens', { account, clientId, scopes: scope?.split(' ') });
  const accessToken = text(tokens.access_token);
  return { simulator, accessToken, refreshToken: text(tokens.refresh_token), ...callsOf(simulator, accessToken) };
}

/** A new simulator with a user signed in. */
export async function open({ account, scope, ...options }: SimulatorOptions & SignIn = {}): Promise<User> {
  const simulator = await startTestSimulator(options);
  return signIn(simulator, account === undefined ? { scope } : { account, scope });
}

/** A test with a simulator of its own and its users, two of them consumers and two of one Workspace; made when they are named. */
export const test = base.extend<{ simulator: Simulator; owner: User; guest: User; editor: User; viewer: User }>({
  simulator: async ({ task: _task }, use) => use(await startTestSimulator()),
  owner: async ({ simulator }, use) => use(await signIn(simulator)),
  guest: async ({ simulator }, use) => use(await signIn(simulator, { account: SECOND })),
  editor: async ({ simulator }, use) => use(await signIn(simulator, { account: EDITOR })),
  viewer: async ({ simulator }, use) => use(await signIn(simulator, { account: VIEWER })),
});
