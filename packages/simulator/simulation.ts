import type { SimClock } from './clock.ts';
import type { SimulatorObserver } from './observer.ts';
import type { PageAdmission } from './state/admission.ts';
import type { CalendarStore } from './state/calendar.ts';
import type { ChannelStore } from './state/channels.ts';
import type { DriveStore } from './state/drive.ts';
import type { FaultBoard } from './state/faults.ts';
import type { FlowStore } from './state/flows.ts';
import type { Recorder } from './state/recorder.ts';
import type { SimulatorState } from './state/store.ts';
import type { StreamStore } from './state/streams.ts';
import type { UploadStore } from './state/uploads.ts';

/** Addresses of the simulator's endpoints, named as in OpenID discovery plus the API's base and those for service accounts. */
export interface SimulatorEndpoints {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
  userinfo_endpoint: string;
  jwks_uri: string;
  api_base_url: string;
  /** Exchanges tokens of workload identity federation. */
  token_exchange_endpoint: string;
  /** What stands before a slash, a service account's address and `:signJwt`. */
  service_accounts_endpoint: string;
  /** Google's MCP servers; `self` behind the address is the endpoint with fewer tools. */
  drive_mcp_endpoint: string;
  calendar_mcp_endpoint: string;
}

/** One running simulator, handed to every handler. */
export interface Simulation {
  clock: SimClock;
  state: SimulatorState;
  endpoints: SimulatorEndpoints;
  /** Authorization sessions and codes: minutes old at most, so they do not survive a restart. */
  flows: FlowStore;
  recorder: Recorder;
  faults: FaultBoard;
  drive: DriveStore;
  calendar: CalendarStore;
  /** Resumable uploads in progress. */
  uploads: UploadStore;
  /** Push channels. */
  channels: ChannelStore;
  /** Receivers of security events, by Cloud project. */
  streams: StreamStore;
  /** Sync tokens that were issued up to here are no longer valid. */
  cursors: { expiredAtMs: number };
  observer: SimulatorObserver | undefined;
  /** True when answers carry the simulator's time in `Date`. */
  datesByClock: boolean;
  /** Part of the path of every control route; undefined where they need none. */
  controlKey: string | undefined;
  /** Which browsers may see the page for people. */
  admission: PageAdmission;
  /** Scopes in addition to those of the APIs played here. */
  moreScopes: ReadonlySet<string>;
  /** Signs what a client has to send back with the answer to a form of an MCP server; of this run. */
  formKey: Buffer;
  /** Snapshots of this run by id, as JSON of the state. */
  snapshots: Map<string, string>;
  /** Opens Drive and Calendar again over the state, after it was replaced. */
  reopen(): void;
  /** Writes the state file if anything changed; called before an answer is sent, so every change that a caller saw is stored. */
  save(): void;
}
