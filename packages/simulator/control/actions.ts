import { changeSettings } from '../calendar/settings.ts';
import { proposeAccess } from '../drive/access-proposals.ts';
import { count, flag, nullable, number, object, oneOf, optional, parseJson, ShapeError, text } from '../parse.ts';
import type { Simulation } from '../simulation.ts';
import { parseFaults } from '../state/faults.ts';
import { pickerRules } from '../state/records.ts';
import { setMcp, setServices, showMcp } from './agents.ts';
import { clientBody, putClient } from './client-body.ts';
import { setDelegation, setDomainUser, setServiceAccount, showDelegation } from './delegation.ts';
import { setLimits, setOpened, setResourceKey } from './drive-world.ts';
import { killGrants, restoreGrants } from './grants.ts';
import { mintTokens } from './mint-tokens.ts';
import { makeServiceAccount, sendStatement, setStreams, showStreams } from './security-events.ts';
import { seedFromBody } from './seed.ts';
import { reset, restoreSnapshot, takeSnapshot } from './snapshots.ts';
import { describeState, expireTokens } from './state-view.ts';

interface ControlAction {
  method: 'GET' | 'POST' | 'DELETE';
  /** After `/__sim/`. */
  path: string;
  /** True when `/<id>` may follow. */
  takesId: boolean;
  /** One line for people. */
  about: string;
  /** @returns JSON for the answer, or a promise of it. @throws {ShapeError} for a bad body */
  run(sim: Simulation, body: string, id: string): unknown;
}

function addClient(sim: Simulation, body: string): unknown {
  const client = parseJson(body, clientBody, 'body');
  putClient(sim, client);
  return { clientId: client.clientId };
}

const clockBody = object({ offsetSec: optional(number), now: optional(nullable(text)) });

function momentOf(now: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:\d{2})$/.test(now) ? Date.parse(now) : Number.NaN;
  if (Number.isNaN(ms)) throw new ShapeError('body.now must be a time such as "2026-11-22T09:00:00Z", or null.');
  return ms;
}

function setClock(sim: Simulation, body: string): unknown {
  const { offsetSec, now } = parseJson(body, clockBody, 'body');
  if (offsetSec === undefined && now === undefined) {
    throw new ShapeError('body needs "now" (a time, or null to let the clock run) or "offsetSec".');
  }
  const { clock } = sim;
  if (now !== undefined) clock.fixedMs = now === null ? null : momentOf(now);
  // A time that is set is meant as it is: an offset from before would move it.
  clock.offsetSec = offsetSec ?? (typeof now === 'string' ? 0 : clock.offsetSec);
  sim.state.clockOffsetSec = clock.offsetSec;
  sim.state.clockFixedMs = clock.fixedMs;
  sim.state.markChanged();
  return { offsetSec: clock.offsetSec, fixed: clock.fixedMs !== null, now: new Date(clock.nowMs()).toISOString() };
}

function setPicker(sim: Simulation, body: string): unknown {
  sim.state.picker = parseJson(body, pickerRules, 'body');
  return sim.state.picker;
}

const channelBody = object({
  drop: optional(count),
  double: optional(count),
  late: optional(count),
  delayMs: optional(count),
  hold: optional(flag),
  unauthorized: optional(flag),
  repeatAfterMs: optional(count),
  release: optional(oneOf('in_order', 'reversed')),
});

/** Changes what happens to messages of channels, and sends those that are held. */
function setChannels(sim: Simulation, body: string): unknown {
  const { release, ...rules } = parseJson(body, channelBody, 'body');
  for (const [name, value] of Object.entries(rules)) {
    if (value !== undefined) Object.assign(sim.channels.rules, { [name]: value });
  }
  const released = release === undefined ? 0 : sim.channels.release(release === 'reversed');
  return { rules: sim.channels.rules, released };
}

function showChannels(sim: Simulation): unknown {
  return {
    rules: sim.channels.rules,
    channels: sim.channels.list().map(({ id, resource, address, sub, clientId, expirationMs, messageNumber }) => ({
      ...{ id, resource, address, sub, clientId, messageNumber },
      expiration: new Date(expirationMs).toISOString(),
    })),
  };
}

/** Sync tokens end, as they do at Google without notice; page tokens of Drive do not (Drive API v3, "Changes: list"). */
function expireCursors(sim: Simulation): unknown {
  sim.cursors.expiredAtMs = sim.clock.nowMs();
  return { expiredAt: new Date(sim.cursors.expiredAtMs).toISOString() };
}

function addFaults(sim: Simulation, body: string): unknown {
  const faults = parseJson(body, parseFaults, 'body');
  for (const fault of faults) sim.faults.faults.set(fault.id, fault);
  return { faults: faults.map(({ id }) => ({ id })), id: faults[0]?.id };
}

function removeFaults(sim: Simulation, _body: string, id: string): unknown {
  if (id === '') {
    sim.faults.faults.clear();
  } else if (!sim.faults.faults.delete(id)) {
    throw new ShapeError(`No fault has the id "${id}"; it may have been used up.`);
  }
  return { faults: [...sim.faults.faults.values()] };
}

/** Every control route, in the order they are shown. */
export const CONTROL_ACTIONS: readonly ControlAction[] = [
  {
    method: 'GET',
    path: 'requests',
    takesId: false,
    about: 'every request received, raw',
    run: (sim) => ({ requests: sim.recorder.list() }),
  },
  {
    method: 'DELETE',
    path: 'requests',
    takesId: false,
    about: 'forget them',
    run: (sim) => {
      sim.recorder.clear();
      return { requests: [] };
    },
  },
  { method: 'GET', path: 'state', takesId: false, about: 'clients, grants, tokens as SHA-256', run: describeState },
  { method: 'POST', path: 'tokens/expire', takesId: false, about: 'end access tokens now', run: expireTokens },
  {
    method: 'POST',
    path: 'tokens',
    takesId: false,
    about: 'tokens without a browser: {"account": …}',
    run: mintTokens,
  },
  { method: 'POST', path: 'seed', takesId: false, about: 'add calendars, events, files, clients', run: seedFromBody },
  { method: 'POST', path: 'snapshot', takesId: false, about: 'keep the state as it is', run: takeSnapshot },
  { method: 'POST', path: 'restore', takesId: false, about: 'go back to a snapshot', run: restoreSnapshot },
  { method: 'POST', path: 'reset', takesId: false, about: 'go back to the start', run: reset },
  { method: 'POST', path: 'clients', takesId: false, about: 'add or change a client', run: addClient },
  {
    method: 'POST',
    path: 'clock',
    takesId: false,
    about: 'set or move the clock: {"now": "2026-11-22T09:00:00Z"}, {"offsetSec": 604800}',
    run: setClock,
  },
  {
    method: 'POST',
    path: 'picker',
    takesId: false,
    about: 'what a picked folder opens, and for which users',
    run: setPicker,
  },
  {
    method: 'POST',
    path: 'access-proposals',
    takesId: false,
    about: 'ask for access to a file: {"account", "fileId", "role", "message"}',
    run: proposeAccess,
  },
  {
    method: 'POST',
    path: 'channels',
    takesId: false,
    about: 'drop, double, delay, hold and refuse messages of push channels',
    run: setChannels,
  },
  {
    method: 'GET',
    path: 'channels',
    takesId: false,
    about: 'open channels, and the rules for messages',
    run: showChannels,
  },
  {
    method: 'POST',
    path: 'settings',
    takesId: false,
    about: 'change a user’s settings of Calendar: {"account", "settings": {"weekStart": "1"}}',
    run: changeSettings,
  },
  {
    method: 'POST',
    path: 'delegates',
    takesId: false,
    about: 'add or change a service account: {"email", "createKey": true}',
    run: setServiceAccount,
  },
  {
    method: 'POST',
    path: 'delegation',
    takesId: false,
    about: 'list a client id with scopes for the domain, or take it off: {"clientId", "scopes": […]}',
    run: setDelegation,
  },
  {
    method: 'GET',
    path: 'delegation',
    takesId: false,
    about: 'service accounts, what the domain lists, users who are not as usual',
    run: showDelegation,
  },
  {
    method: 'POST',
    path: 'domain-users',
    takesId: false,
    about: 'suspend, delete or restrict a user of the domain: {"email", "state"}',
    run: setDomainUser,
  },
  {
    method: 'POST',
    path: 'services',
    takesId: false,
    about: 'enable or disable services of a Cloud project: {"clientId", "disable": ["drivemcp.googleapis.com"]}',
    run: setServices,
  },
  {
    method: 'POST',
    path: 'mcp',
    takesId: false,
    about:
      'MCP servers: {"requestsPerDay"}, {"approvals": {"account", "policy": "changes"}}, {"tools": [{"server", "name", …}]}',
    run: setMcp,
  },
  {
    method: 'GET',
    path: 'mcp',
    takesId: false,
    about: 'the day, the approvals and the tools of MCP servers',
    run: showMcp,
  },
  {
    method: 'POST',
    path: 'opened',
    takesId: false,
    about: 'open a file as its user: {"account", "fileId"}',
    run: setOpened,
  },
  {
    method: 'POST',
    path: 'resource-keys',
    takesId: false,
    about: 'give a link a resource key: {"fileId"}',
    run: setResourceKey,
  },
  {
    method: 'POST',
    path: 'limits',
    takesId: false,
    about: 'lower limits of Drive: {"folderDepth": 3}',
    run: setLimits,
  },
  { method: 'POST', path: 'cursors/expire', takesId: false, about: 'end sync tokens now', run: expireCursors },
  {
    method: 'POST',
    path: 'security-events',
    takesId: false,
    about: 'state a security event, or forge one: {"type": "account-disabled", "account": …, "reason": "hijacking"}',
    run: sendStatement,
  },
  {
    method: 'POST',
    path: 'streams',
    takesId: false,
    about: 'drop, double and delay security events; {"register": {"clientId", "url"}} sets a receiver',
    run: setStreams,
  },
  {
    method: 'POST',
    path: 'service-accounts',
    takesId: false,
    about: 'make a service account that may set the receiver of security events: {"clientId": …} or {"project": …}',
    run: makeServiceAccount,
  },
  { method: 'GET', path: 'streams', takesId: false, about: 'receivers of security events', run: showStreams },
  { method: 'POST', path: 'faults', takesId: false, about: 'add fault switches', run: addFaults },
  {
    method: 'GET',
    path: 'faults',
    takesId: false,
    about: 'the switches that are on',
    run: (sim) => ({ faults: [...sim.faults.faults.values()] }),
  },
  { method: 'DELETE', path: 'faults', takesId: true, about: 'remove one or all', run: removeFaults },
  { method: 'POST', path: 'grants/kill', takesId: false, about: 'end grants for a reason', run: killGrants },
  { method: 'POST', path: 'grants/restore', takesId: false, about: 'lift blocks', run: restoreGrants },
];
