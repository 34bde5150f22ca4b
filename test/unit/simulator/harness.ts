import { createHash } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import { type ConsentChoice, walkConsent } from '../../../simulator/consent.ts';
import {
  type Simulator,
  type SimulatorClient,
  type SimulatorObserver,
  type SimulatorOptions,
  startSimulator,
} from '../../../simulator/index.ts';
import { isRecord } from '../../../simulator/parse.ts';
import { judgeAnswer } from '../../support/judge-answers.ts';

export const CLIENT: SimulatorClient = {
  clientId: '123456789012-gateway.apps.googleusercontent.com',
  clientSecret: 'a-client-secret',
  redirectUris: ['https://gateway.example/oauth/callback', 'https://gateway.example/other?kept=1'],
};
export const REDIRECT_URI = 'https://gateway.example/oauth/callback';
export const DRIVE = 'https://www.googleapis.com/auth/drive';
export const CALENDAR = 'https://www.googleapis.com/auth/calendar';
export const USERINFO_EMAIL = 'https://www.googleapis.com/auth/userinfo.email';
export const FIRST = 'first.user@example.com';
export const SECOND = 'second.user@example.com';
export const EDITOR = 'editor@workspace.example';

export type Json = Record<string, unknown>;

const running = new Set<Simulator>();
const problems: string[] = [];

afterEach(async () => {
  await Promise.all([...running].map((simulator) => simulator.close()));
  running.clear();
  expect(problems.splice(0), 'answers that break the schemas of the discovery documents').toEqual([]);
});

function judged(observer: SimulatorObserver | undefined): SimulatorObserver {
  return {
    onRequest: (request) => observer?.onRequest(request),
    onAnswer: (seq, status) => observer?.onAnswer(seq, status),
    onIssued: (token) => observer?.onIssued(token),
    onResource: (resource) => problems.push(...judgeAnswer(resource)),
  };
}

/** A simulator with {@link CLIENT}, closed after the test; every answer is judged by the discovery documents' schemas. */
export async function startTestSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ clients: [CLIENT], ...options, observer: judged(options.observer) });
  running.add(simulator);
  return simulator;
}

/** An authorization URL; members set to `undefined` are left out. */
export function authorizeUrl(simulator: Simulator, changes: Record<string, string | undefined> = {}): string {
  const parameters: Record<string, string | undefined> = {
    client_id: CLIENT.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: `openid email ${DRIVE} ${CALENDAR}`,
    state: 'a state',
    access_type: 'offline',
    prompt: 'consent',
    ...changes,
  };
  const set = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${simulator.endpoints.authorization_endpoint}?${new URLSearchParams(set)}`;
}

/** Query of the redirect that ends a flow. */
export async function authorize(
  simulator: Simulator,
  changes: Record<string, string | undefined> = {},
  choice: ConsentChoice = {},
): Promise<URLSearchParams> {
  const { location } = await walkConsent(authorizeUrl(simulator, changes), choice);
  return new URL(location).searchParams;
}

/** Reads a JSON object body. */
export async function readJson(response: Response): Promise<Json> {
  const value: unknown = await response.json();
  if (!isRecord(value)) throw new Error('The body is no JSON object.');
  return value;
}

export interface TokenAnswer {
  status: number;
  body: Json;
  headers: Headers;
}

/** A token request with the client's secret in the body. */
export async function postToken(simulator: Simulator, form: Record<string, string>): Promise<TokenAnswer> {
  const body = new URLSearchParams({ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, ...form });
  const response = await fetch(simulator.endpoints.token_endpoint, { method: 'POST', body });
  return { status: response.status, body: await readJson(response), headers: response.headers };
}

export function exchange(simulator: Simulator, code: string, form: Record<string, string> = {}): Promise<TokenAnswer> {
  return postToken(simulator, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...form });
}

export function refresh(
  simulator: Simulator,
  refreshToken: string,
  form: Record<string, string> = {},
): Promise<TokenAnswer> {
  return postToken(simulator, { grant_type: 'refresh_token', refresh_token: refreshToken, ...form });
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  body: Json;
}

/** A whole flow of {@link FIRST} unless `choice` says otherwise. */
export async function obtainTokens(
  simulator: Simulator,
  changes: Record<string, string | undefined> = {},
  choice: ConsentChoice = {},
): Promise<Tokens> {
  const query = await authorize(simulator, changes, choice);
  const { status, body } = await exchange(simulator, query.get('code') ?? '');
  expect(status).toBe(200);
  return { accessToken: text(body.access_token), refreshToken: text(body.refresh_token ?? ''), body };
}

/** Asserts text. */
export function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`Text was expected, not ${JSON.stringify(value)}`);
  return value;
}

/** Asserts a list of objects. */
export function records(value: unknown): Json[] {
  if (!Array.isArray(value)) throw new Error('A list was expected.');
  return value.filter(isRecord);
}

/** Asserts an object. */
export function record(value: unknown): Json {
  if (!isRecord(value)) throw new Error(`An object was expected, not ${JSON.stringify(value)}`);
  return value;
}

/** An API call with a token; redirects and 308 come back as they are. */
export function api(
  simulator: Simulator,
  accessToken: string,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${accessToken}`);
  return fetch(simulator.endpoints.api_base_url + path, { redirect: 'manual', ...init, headers });
}

/** JSON of an API call that must succeed. */
export async function apiJson(
  simulator: Simulator,
  accessToken: string,
  path: string,
  init: RequestInit = {},
): Promise<Json> {
  const response = await api(simulator, accessToken, path, init);
  expect(response.status, path).toBe(200);
  return readJson(response);
}

/** A JSON body with its Content-Type. */
export function jsonInit(method: string, value: unknown, headers: Record<string, string> = {}): RequestInit {
  return { method, body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...headers } };
}

/** Status and first reason of an API error. */
export async function apiFailure(
  response: Response,
): Promise<{ status: number; reason: unknown; message: unknown; location: unknown }> {
  const error = record((await readJson(response)).error);
  const [first] = records(error.errors);
  expect(error.code).toBe(response.status);
  return { status: response.status, reason: first?.reason, message: error.message, location: first?.location };
}

/** A control call. */
export async function control(simulator: Simulator, method: string, path: string, body?: unknown): Promise<Json> {
  const init: RequestInit = { method };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await fetch(`${simulator.url}/__sim/${path}`, init);
  const answer = await readJson(response);
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}

export function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}

export const DAY_SEC = 86_400;
