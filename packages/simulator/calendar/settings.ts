import { ACCOUNTS, findAccount, type SimAccount } from '../accounts.ts';
import { type ApiCall, type ApiResult, pathParameter } from '../api/call.ts';
import { notFound } from '../api/envelope.ts';
import { object, parseJson, recordOf, ShapeError, text } from '../parse.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import type { CalendarStore } from '../state/calendar.ts';
import { pageOf } from './paging.ts';
import { syncPointOf } from './sync-token.ts';
import { isTimeZone } from './zoned-time.ts';

/** Pages of 100, and never more than 250, whatever is asked. */
const PAGE = { usual: 100, most: 250 };

/** What a setting can be, and what it is at the start. */
interface Setting {
  id: string;
  start(account: SimAccount): string;
  takes(value: string): boolean;
}

function oneOf(id: string, start: string, ...values: string[]): Setting {
  return { id, start: () => start, takes: (value) => value === start || values.includes(value) };
}

/** Every setting of Google's table (Google Calendar API, "Settings"), in the order of their ids. */
const SETTINGS: readonly Setting[] = [
  oneOf('autoAddHangouts', 'true', 'false'),
  oneOf('dateFieldOrder', 'MDY', 'DMY', 'YMD'),
  { id: 'defaultEventLength', start: () => '60', takes: (value) => /^[1-9]\d{0,3}$/.test(value) },
  oneOf('format24HourTime', 'false', 'true'),
  oneOf('hideInvitations', 'false', 'true'),
  oneOf('hideWeekends', 'false', 'true'),
  { id: 'locale', start: () => 'en', takes: (value) => /^[a-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/.test(value) },
  oneOf('remindOnRespondedEventsOnly', 'false', 'true'),
  oneOf('showDeclinedEvents', 'true', 'false'),
  { id: 'timezone', start: ({ timeZone }) => timeZone, takes: isTimeZone },
  oneOf('useKeyboardShortcuts', 'true', 'false'),
  oneOf('weekStart', '0', '1', '6'),
];

/** A setting as it is, and the number of the change that made it so (0: as at the start). */
interface Current {
  id: string;
  value: string;
  seq: number;
}

function settingsOf(store: CalendarStore, account: SimAccount): Current[] {
  const changed = new Map(store.settings(account.sub).map((setting) => [setting.id, setting]));
  return SETTINGS.map(({ id, start }) => changed.get(id) ?? { id, value: start(account), seq: 0 });
}

function describe({ id, value }: Current): Record<string, unknown> {
  return { kind: 'calendar#setting', etag: `"${sha256Hex(`${id} ${value}`).slice(0, 16)}"`, id, value };
}

/** `settings.get`. */
export function getSetting(call: ApiCall): ApiResult {
  const id = pathParameter(call, 'setting');
  const found = settingsOf(call.sim.calendar, call.caller.account).find((setting) => setting.id === id);
  if (found === undefined) throw notFound('Not Found');
  return { resource: describe(found) };
}

/** `settings.list`: all of them, or with a sync token those that have changed since. */
export function listSettings(call: ApiCall): ApiResult {
  const { account } = call.caller;
  const collection = `settings ${account.sub}`;
  const since = syncPointOf(call, collection)?.seq;
  const settings = settingsOf(call.sim.calendar, account).filter(({ seq }) => since === undefined || seq > since);
  const { items, members } = pageOf(call, settings.map(describe), collection, PAGE);
  return { resource: { kind: 'calendar#settings', ...members, items } };
}

const changeBody = object({ account: text, settings: recordOf(text) });

/**
 * `POST /__sim/settings`: changes settings as a user does in Calendar's own pages, and notifies the channels of `settings.watch`.
 * @throws {ShapeError} for an unknown account, setting or value; nothing is changed then
 */
export function changeSettings(sim: Simulation, body: string): unknown {
  const { account: address, settings } = parseJson(body, changeBody, 'body');
  const account = findAccount(address);
  if (account === undefined) {
    throw new ShapeError(`body.account must be one of ${ACCOUNTS.map(({ email }) => email).join(', ')}.`);
  }
  for (const [id, value] of Object.entries(settings)) {
    const known = SETTINGS.find((setting) => setting.id === id);
    if (known === undefined) {
      throw new ShapeError(`body.settings.${id} is none of ${SETTINGS.map((setting) => setting.id).join(', ')}.`);
    }
    if (!known.takes(value)) throw new ShapeError(`body.settings.${id} cannot be "${value}".`);
  }
  const before = new Map(settingsOf(sim.calendar, account).map(({ id, value }) => [id, value]));
  const changed = Object.entries(settings).filter(([id, value]) => before.get(id) !== value);
  for (const [id, value] of changed) sim.calendar.putSetting({ sub: account.sub, id, value });
  if (changed.length > 0) sim.channels.notify(account.sub, 'calendar/settings', 'exists');
  return { changed: changed.map(([id]) => id) };
}
