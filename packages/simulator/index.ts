import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createCalendarStore } from './calendar/store.ts';
import { createClock } from './clock.ts';
import { CONTROL_ACTIONS } from './control/actions.ts';
import { applySeed, seedShape } from './control/seed.ts';
import { reset, takeStartSnapshot } from './control/snapshots.ts';
import { createDriveStore } from './drive/store.ts';
import type { Origin } from './http/exchange.ts';
import { type Listener, listenOnLoopback } from './http/listen.ts';
import { mcpEndpointPath } from './mcp/servers.ts';
import { declareClient, type SimulatorClient, upsertClient } from './oauth/clients.ts';
import { SERVICE_ACCOUNTS_PATH, TOKEN_EXCHANGE_PATH } from './oauth/federation.ts';
import { PAGE_PATHS } from './oauth/pages.ts';
import type { SimulatorObserver } from './observer.ts';
import { pagePath } from './page/routes.ts';
import { serveRequest } from './serve.ts';
import type { Simulation, SimulatorEndpoints } from './simulation.ts';
import { createPageAdmission } from './state/admission.ts';
import { createChannelStore } from './state/channels.ts';
import { createFaultBoard } from './state/faults.ts';
import { createFlowStore } from './state/flows.ts';
import { createRecorder } from './state/recorder.ts';
import { readStateFile, writePrivateFile } from './state/state-file.ts';
import { createState, snapshotState } from './state/store.ts';
import { createStreamStore } from './state/streams.ts';

export { ACCOUNTS, type SimAccount } from './accounts.ts';
export { type ConsentChoice, walkConsent } from './consent.ts';
export type { Seed } from './control/seed.ts';
export type { SimulatorClient } from './oauth/clients.ts';
export type { AnsweredResource, IssuedToken, ObservedRequest, OpenedChannel, SimulatorObserver } from './observer.ts';
export type { SimulatorEndpoints } from './simulation.ts';
export { StateFileError } from './state/state-file.ts';

/** The control routes, for people to read: method, path below `/__sim/` and what it does. */
export const CONTROL_ROUTES: readonly { method: string; path: string; about: string }[] = CONTROL_ACTIONS.map(
  ({ method, path, about }) => ({ method, path, about }),
);

/** How a simulator starts; every member has a default. */
export interface SimulatorOptions {
  /** Port on 127.0.0.1. @default a free one */
  port?: number;
  /** Clients to add or change at the start. @default none */
  clients?: SimulatorClient[];
  /** JSON file that keeps clients, grants, tokens, the signing key and changed data. @default memory only */
  statePath?: string;
  /** True gives accounts, token and API a port each, so that tests see which credential goes where. @default false */
  separateOrigins?: boolean;
  /** Calendars, events, files and clients to add to a state that is new. @default none */
  seed?: unknown;
  /** Receives every request and token, unencrypted. @default nobody */
  observer?: SimulatorObserver;
  /** More scopes of Google's to grant, for APIs that another program simulates. @default only those of Drive and Calendar */
  moreScopes?: readonly string[];
  /** Answers carry the simulator's time in `Date`, for programs that correct their clock by it. @default false: the machine's */
  datesByClock?: boolean;
  /** Control routes answer only below `/__sim/<key>/`. @default - no key: anyone on this computer may use them */
  controlKey?: string;
  /** Called with the next address of the page for people when a browser has opened one. @default nobody */
  tellPage?: (address: string) => void;
  /** Called with what was not taken over from an older state file. @default a line on standard error */
  warn?: (message: string) => void;
}

/** A running simulator. */
export interface Simulator {
  /** Address of the accounts pages and the control routes, no trailing slash. */
  url: string;
  endpoints: SimulatorEndpoints;
  /** Address below which the control routes are, with the key in it where they need one; no trailing slash. */
  controlUrl: string;
  /** What opens the page for people in one more browser, on this computer alone. */
  pageAddress(): string;
  /** @throws {Error} for an id or redirect URI that Google would not accept */
  upsertClient(client: SimulatorClient): void;
  /**
   * Adds a client that a program declares, or follows its changes. A client that was registered in any other way stays as it is.
   * @throws {Error} for an id or redirect URI that Google would not accept
   */
  declareClient(client: SimulatorClient): void;
  /** How far the simulator's clock is ahead of the machine's at this moment, in milliseconds; negative when it is behind. */
  clockAheadMs(): number;
  /** Goes back to how the simulator started: state, clock, and no faults, channels or recorded requests. */
  reset(): void;
  /** Ends every connection and saves; nothing keeps the process alive afterwards. */
  close(): Promise<void>;
}

function warnOnStderr(message: string): void {
  process.stderr.write(`${message}\n`);
}

function buildEndpoints(accounts: string, token: string, api: string): SimulatorEndpoints {
  return {
    issuer: accounts,
    authorization_endpoint: accounts + PAGE_PATHS.authorize,
    token_endpoint: `${token}/token`,
    revocation_endpoint: `${token}/revoke`,
    userinfo_endpoint: `${token}/v1/userinfo`,
    jwks_uri: `${api}/oauth2/v3/certs`,
    api_base_url: api,
    token_exchange_endpoint: token + TOKEN_EXCHANGE_PATH,
    service_accounts_endpoint: token + SERVICE_ACCOUNTS_PATH,
    drive_mcp_endpoint: api + mcpEndpointPath('drivemcp.googleapis.com'),
    calendar_mcp_endpoint: api + mcpEndpointPath('calendarmcp.googleapis.com'),
  };
}

function createSimulation({
  statePath,
  observer,
  moreScopes = [],
  datesByClock = false,
  controlKey,
  warn = warnOnStderr,
  tellPage = () => {},
}: SimulatorOptions): Simulation {
  const clock = createClock();
  let isChanged = false;
  const taken = statePath === undefined ? undefined : readStateFile(statePath);
  if (taken?.loss !== undefined) warn(taken.loss);
  const state = createState(taken?.record, () => {
    isChanged = true;
  });
  clock.offsetSec = state.clockOffsetSec;
  clock.fixedMs = state.clockFixedMs;
  const sim: Simulation = {
    clock,
    state,
    endpoints: buildEndpoints('', '', ''),
    flows: createFlowStore(),
    recorder: createRecorder(),
    faults: createFaultBoard(),
    drive: createDriveStore(state, clock, statePath),
    calendar: createCalendarStore(state),
    uploads: new Map(),
    channels: createChannelStore(clock),
    streams: createStreamStore(state),
    cursors: { expiredAtMs: Number.NEGATIVE_INFINITY },
    observer,
    datesByClock,
    controlKey,
    // Another browser needs another address, which only the person who started the simulator sees.
    admission: createPageAdmission(() => tellPage(sim.endpoints.issuer + pagePath(sim))),
    moreScopes: new Set(moreScopes),
    formKey: randomBytes(32),
    snapshots: new Map(),
    reopen() {
      clock.offsetSec = state.clockOffsetSec;
      clock.fixedMs = state.clockFixedMs;
      // Uploaded bytes are kept by their digest: what a snapshot names is still there.
      sim.drive = createDriveStore(state, clock, statePath, sim.drive.blobs);
      sim.calendar = createCalendarStore(state);
    },
    save() {
      if (!isChanged || statePath === undefined) return;
      isChanged = false;
      writePrivateFile(statePath, JSON.stringify(snapshotState(state, clock.nowMs())));
    },
  };
  return sim;
}

async function listenForAll(sim: Simulation, options: SimulatorOptions): Promise<Listener[]> {
  const listener = (origin?: Origin) => (message: IncomingMessage, response: ServerResponse) => {
    serveRequest(sim, origin, message, response).catch((error: unknown) => {
      // Without this one bad header would end the whole process; the cut connection and the log keep it loud.
      process.stderr.write(`simulator defect: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  };
  if (options.separateOrigins !== true) return [await listenOnLoopback(options.port ?? 0, listener())];
  const listeners: Listener[] = [];
  try {
    listeners.push(await listenOnLoopback(options.port ?? 0, listener('accounts')));
    listeners.push(await listenOnLoopback(0, listener('token')), await listenOnLoopback(0, listener('api')));
  } catch (error) {
    await Promise.all(listeners.map((entry) => entry.close()));
    throw error;
  }
  return listeners;
}

function isNew({ statePath }: SimulatorOptions): boolean {
  return statePath === undefined || !existsSync(statePath);
}

/**
 * Starts a Google stand-in on 127.0.0.1.
 * @throws {Error} when the port is taken, the state file is not one, a client is not acceptable or the seed is wrong
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const sim = createSimulation(options);
  for (const client of options.clients ?? []) upsertClient(sim.state, client);
  // A state file that is there already holds what came of its seed.
  if (options.seed !== undefined && isNew(options)) await applySeed(sim, seedShape(options.seed, 'seed'));
  const [accounts, token = accounts, api = accounts] = await listenForAll(sim, options);
  if (accounts === undefined || token === undefined || api === undefined) throw new Error('No port could be opened.');
  sim.endpoints = buildEndpoints(accounts.url, token.url, api.url);
  takeStartSnapshot(sim);
  sim.save();
  return {
    url: accounts.url,
    endpoints: sim.endpoints,
    controlUrl: `${accounts.url}/__sim${options.controlKey === undefined ? '' : `/${options.controlKey}`}`,
    pageAddress: () => accounts.url + pagePath(sim),
    upsertClient(client) {
      upsertClient(sim.state, client);
      sim.save();
    },
    declareClient(client) {
      if (declareClient(sim.state, client)) sim.save();
    },
    clockAheadMs: () => {
      const { fixedMs, offsetSec } = sim.clock;
      return offsetSec * 1000 + (fixedMs === null ? 0 : fixedMs - Date.now());
    },
    reset() {
      reset(sim);
      sim.save();
    },
    async close() {
      sim.channels.close();
      sim.streams.close();
      await Promise.all([...new Set([accounts, token, api])].map((entry) => entry.close()));
      sim.save();
    },
  };
}
