/** OAuth as a client and a person at a browser do it. */
import { expect } from 'vitest';
import { type ConsentChoice, walkConsent } from '../../../packages/simulator/consent.ts';
import type { Simulator } from '../../../packages/simulator/index.ts';
import { CALENDAR, CLIENT, DRIVE, REDIRECT_URI } from './names.ts';
import { type Json, readJson, text } from './values.ts';

type Changes = Record<string, string | undefined>;

/** An authorization URL; members set to `undefined` are left out. */
export function authorizeUrl(simulator: Simulator, changes: Changes = {}): string {
  const parameters: Changes = {
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
export async function authorize(simulator: Simulator, changes: Changes = {}, choice: ConsentChoice = {}) {
  const { location } = await walkConsent(authorizeUrl(simulator, changes), choice);
  return new URL(location).searchParams;
}

/** The code that ends a flow. */
export async function codeOf(simulator: Simulator, changes: Changes = {}, choice: ConsentChoice = {}): Promise<string> {
  return (await authorize(simulator, changes, choice)).get('code') ?? '';
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

export function exchange(simulator: Simulator, code: string, form: Record<string, string> = {}) {
  return postToken(simulator, { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...form });
}

export function refresh(simulator: Simulator, refreshToken: string, form: Record<string, string> = {}) {
  return postToken(simulator, { grant_type: 'refresh_token', refresh_token: refreshToken, ...form });
}

/** Tokens of a whole flow, of the first user unless `choice` says otherwise. */
export async function obtainTokens(simulator: Simulator, changes: Changes = {}, choice: ConsentChoice = {}) {
  const { status, body } = await exchange(simulator, await codeOf(simulator, changes, choice));
  expect(status).toBe(200);
  return { accessToken: text(body.access_token), refreshToken: text(body.refresh_token ?? ''), body };
}
