import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { findAccount } from '../accounts.ts';
import { count, listOf, number, object, oneOf, optional, parseJson, ShapeError, text } from '../parse.ts';
import {
  FORGERIES,
  forgeStatement,
  STATEMENT_TYPES,
  type StatementFacts,
  signStatement,
  statementTypeUri,
} from '../risc/statements.ts';
import type { Simulation } from '../simulation.ts';
import { isLoopbackAddress } from '../state/channels.ts';
import { projectOf } from '../state/store.ts';

const statementBody = object({
  type: oneOf(...STATEMENT_TYPES),
  account: optional(text),
  clientId: optional(text),
  reason: optional(text),
  state: optional(text),
  /** Of `token-revoked`: SHA-256 of the refresh token, as the state shows it, and how it is named. */
  tokenSha256: optional(text),
  tokenBy: optional(oneOf('prefix', 'hash_base64_sha512_sha512')),
  jti: optional(text),
  /** Seconds that the statement is older than now; less than 0 for one from the future. */
  agoSec: optional(number),
  forge: optional(oneOf(...FORGERIES)),
  /** How often it is sent. */
  times: optional(count),
  /** Where to, past the registered receiver. */
  to: optional(text),
});

function tokenNamed(sim: Simulation, sha256: string, by: 'prefix' | 'hash_base64_sha512_sha512') {
  const identifiers = sim.state.tokenIdentifiers.get(sha256);
  if (identifiers === undefined) throw new ShapeError('body.tokenSha256 names no refresh token; GET state lists them.');
  return { token_identifier_alg: by, token: identifiers[by] };
}

function subOf(email: string | undefined): string | undefined {
  if (email === undefined) return undefined;
  const account = findAccount(email);
  if (account === undefined) throw new ShapeError(`No account "${email}".`);
  return account.sub;
}

/** Sends a statement of any type to the receiver of a client's project, or a forged one, and waits for the answers. */
export async function sendStatement(sim: Simulation, body: string): Promise<unknown> {
  const wish = parseJson(body, statementBody, 'body');
  const clientId = wish.clientId ?? [...sim.state.clients.keys()][0];
  if (clientId === undefined) throw new ShapeError('body needs "clientId": there is no client yet.');
  const facts: StatementFacts = {
    type: wish.type,
    clientId,
    sub: subOf(wish.account),
    reason: wish.reason,
    state: wish.state,
    token:
      wish.tokenSha256 === undefined
        ? undefined
        : tokenNamed(sim, wish.tokenSha256, wish.tokenBy ?? 'hash_base64_sha512_sha512'),
    jti: wish.jti,
    issuedAtSec: Math.floor(sim.clock.nowMs() / 1000) - (wish.agoSec ?? 0),
  };
  const stream = sim.state.streams.get(projectOf(clientId));
  const url = wish.to ?? stream?.url;
  if (url === undefined) {
    throw new ShapeError(`Project ${projectOf(clientId)} has no receiver. Register one, or say "to".`);
  }
  if (!isLoopbackAddress(url)) throw new ShapeError('Statements are sent to addresses on this computer only.');
  const token =
    wish.forge === undefined ? await signStatement(sim, facts) : await forgeStatement(sim, facts, wish.forge);
  const answers: (number | null)[] = [];
  for (let time = 0; time < (wish.times ?? 1); time++) answers.push((await sim.streams.post(url, token)) ?? null);
  return { type: statementTypeUri(wish.type), answers };
}

const streamsBody = object({
  drop: optional(count),
  double: optional(count),
  delayMs: optional(count),
  repeatAfterMs: optional(count),
  /** Registers a receiver without the API that a service account would call. */
  register: optional(object({ clientId: text, url: text, events: optional(listOf(oneOf(...STATEMENT_TYPES))) })),
});

/** Changes what happens to statements on their way, and registers a receiver. */
export function setStreams(sim: Simulation, body: string): unknown {
  const { register, ...rules } = parseJson(body, streamsBody, 'body');
  for (const [name, value] of Object.entries(rules)) {
    if (value !== undefined) Object.assign(sim.streams.rules, { [name]: value });
  }
  if (register !== undefined) {
    const project = projectOf(register.clientId);
    const events = (register.events ?? STATEMENT_TYPES).map(statementTypeUri);
    sim.state.streams.set(project, { project, url: register.url, events, status: 'enabled' });
    sim.state.markChanged();
  }
  return showStreams(sim);
}

/** The receivers, and the rules for statements. */
export function showStreams(sim: Simulation): unknown {
  return { rules: sim.streams.rules, streams: [...sim.state.streams.values()] };
}

const serviceAccountBody = object({ clientId: optional(text), project: optional(text) });

/** Makes a service account that may configure a project's stream, and its key as Google Cloud's console gives it. */
export function makeServiceAccount(sim: Simulation, body: string): unknown {
  const wish = parseJson(body, serviceAccountBody, 'body');
  const clientId = wish.clientId ?? [...sim.state.clients.keys()][0];
  const project = wish.project ?? (clientId === undefined ? undefined : projectOf(clientId));
  if (project === undefined) throw new ShapeError('body needs "project" or "clientId": there is no client yet.');
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const keyId = randomBytes(20).toString('hex');
  const name = `project-${project}`;
  const email = `risc-${keyId.slice(0, 8)}@${name}.iam.gserviceaccount.com`;
  sim.state.serviceAccounts.set(email, { email, project, keyId, publicKey });
  sim.state.markChanged();
  return {
    type: 'service_account',
    project_id: name,
    private_key_id: keyId,
    private_key: privateKey,
    client_email: email,
    token_uri: sim.endpoints.token_endpoint,
  };
}
