import { generateKeyPairSync } from 'node:crypto';
import { findAccount } from '../accounts.ts';
import {
  flag,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  parseJson,
  recordOf,
  ShapeError,
  text,
} from '../parse.ts';
import { randomText } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { DelegateRecord } from '../state/delegation.ts';

/** The Workspace domain of the accounts that the simulator has. */
const DOMAIN = 'workspace.example';

let madeKey: { privateKey: string; publicKey: string } | undefined;

function generateKey(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

/** Making a key takes longer than starting: what Google itself signs with is the same in all simulators of a process. */
function ownKey(): DelegateRecord['ownKey'] {
  madeKey ??= generateKey();
  return { id: randomText(15), ...madeKey };
}

const delegateBody = object({
  email: text,
  clientId: optional(text),
  project: optional(text),
  /** Makes a key and gives its file, as the console does. */
  createKey: optional(flag),
  /** Deletes keys by their ids. */
  deleteKeys: optional(listOf(text)),
  principals: optional(listOf(text)),
  state: optional(oneOf('enabled', 'disabled', 'deleted')),
  awsSecrets: optional(recordOf(text)),
});

/** Adds a service account, or changes one: its state, who may make tokens for it, its keys. */
export function setServiceAccount(sim: Simulation, body: string): unknown {
  const wanted = parseJson(body, delegateBody, 'body');
  const email = wanted.email.toLowerCase();
  if (!/^[^@\s]+@[^@\s]+\.gserviceaccount\.com$/.test(email)) {
    throw new ShapeError('body.email must look like name@project.iam.gserviceaccount.com.');
  }
  const { delegation } = sim.state;
  let delegate = delegation.delegates.find((one) => one.email === email);
  if (delegate === undefined) {
    const number = String(delegation.delegates.length + 1).padStart(4, '0');
    delegate = {
      email,
      clientId: wanted.clientId ?? `10000000000000000${number}`,
      project: wanted.project ?? '123456789012',
      keys: [],
      ownKey: ownKey(),
      principals: [],
      state: 'enabled',
    };
    delegation.delegates.push(delegate);
  }
  delegate.clientId = wanted.clientId ?? delegate.clientId;
  delegate.project = wanted.project ?? delegate.project;
  delegate.principals = wanted.principals ?? delegate.principals;
  delegate.state = wanted.state ?? delegate.state;
  delegate.keys = delegate.keys.filter(({ id }) => wanted.deleteKeys?.includes(id) !== true);
  for (const [id, secret] of Object.entries(wanted.awsSecrets ?? {})) delegation.awsSecrets.set(id, secret);
  sim.state.markChanged();
  return { ...shown(delegate), ...(wanted.createKey === true ? { key: makeKey(sim, delegate) } : {}) };
}

/** The file that Google's console gives once. */
function makeKey(sim: Simulation, delegate: DelegateRecord): Record<string, string> {
  const { privateKey, publicKey } = generateKey();
  const id = Buffer.from(randomText(20), 'base64url').toString('hex');
  delegate.keys.push({ id, publicKey });
  return {
    type: 'service_account',
    project_id: delegate.email.split('@')[1]?.split('.')[0] ?? '',
    private_key_id: id,
    private_key: privateKey,
    client_email: delegate.email,
    client_id: delegate.clientId,
    auth_uri: sim.endpoints.authorization_endpoint,
    token_uri: sim.endpoints.token_endpoint,
  };
}

function shown({ ownKey: _own, keys, ...delegate }: DelegateRecord) {
  return { ...delegate, keys: keys.map(({ id }) => id) };
}

const listingBody = object({
  clientId: text,
  /** Null takes the client off the list. */
  scopes: nullable(listOf(text)),
  domain: optional(text),
  /** Seconds until the change counts: minutes at Google, at most a day. */
  delaySec: optional(number),
  tokensEndWithListing: optional(flag),
});

/** What the administrator of a domain lists under "Domain-wide delegation". */
export function setDelegation(sim: Simulation, body: string): unknown {
  const {
    clientId,
    scopes,
    domain = DOMAIN,
    delaySec = 0,
    tokensEndWithListing,
  } = parseJson(body, listingBody, 'body');
  if (!/^\d+$/.test(clientId))
    throw new ShapeError('body.clientId must be the numeric client id, as in the Admin console.');
  const { delegation } = sim.state;
  delegation.tokensEndWithListing = tokensEndWithListing ?? delegation.tokensEndWithListing;
  delegation.listings = delegation.listings.filter((one) => one.clientId !== clientId || one.domain !== domain);
  if (scopes === null && delegation.tokensEndWithListing) {
    for (const token of sim.state.accessTokens.values()) {
      if (token.clientId === clientId && findAccount(token.sub)?.hostedDomain === domain) token.revoked = true;
    }
  }
  if (scopes !== null) {
    const effectiveAtMs = sim.clock.nowMs() + delaySec * 1000;
    delegation.listings.push({ domain, clientId, scopes, effectiveAtMs });
  }
  sim.state.markChanged();
  return showDelegation(sim);
}

const userBody = object({ email: text, state: oneOf('active', 'suspended', 'deleted', 'restricted', 'alias') });

/** What becomes of a user of the domain; `alias` is a second address of somebody. */
export function setDomainUser(sim: Simulation, body: string): unknown {
  const { email, state } = parseJson(body, userBody, 'body');
  const address = email.toLowerCase();
  const others = sim.state.delegation.users.filter((user) => user.email !== address);
  sim.state.delegation.users = state === 'active' ? others : [...others, { email: address, state }];
  sim.state.markChanged();
  return showDelegation(sim);
}

/** Service accounts without their keys, what is listed, and users who are not as usual. */
export function showDelegation(sim: Simulation): unknown {
  const { delegates, listings, users, tokensEndWithListing } = sim.state.delegation;
  return {
    serviceAccounts: delegates.map(shown),
    listings: listings.map(({ effectiveAtMs, ...one }) => ({
      ...one,
      effectiveAt: new Date(effectiveAtMs).toISOString(),
    })),
    users,
    tokensEndWithListing,
  };
}
