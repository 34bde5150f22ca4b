import { createHash } from 'node:crypto';
import { requireCalendar } from '../calendar/access.ts';
import { requireStartPoint } from '../drive/list-changes.ts';
import { requireFile } from '../drive/visibility.ts';
import { emptyResponse } from '../http/exchange.ts';
import { isRecord } from '../parse.ts';
import { isLoopbackAddress } from '../state/channels.ts';
import { projectOf } from '../state/store.ts';
import { type ApiCall, type ApiResult, jsonBody, pathParameter } from './call.ts';
import { API_HEADERS, ApiError, badRequest } from './envelope.ts';

/** How long a channel lives that names no end, and the longest that one may live, in milliseconds. */
interface ChannelLife {
  usualMs: number;
  longestMs: number;
}

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/** Google Drive API, "Notifications for resource changes": an hour; at most a week for changes, a day for a file. */
const CHANGES_CHANNEL: ChannelLife = { usualMs: HOUR_MS, longestMs: WEEK_MS };
const FILE_CHANNEL: ChannelLife = { usualMs: HOUR_MS, longestMs: 24 * HOUR_MS };

/** Google Calendar API, "Events: watch" and the others: 604800 seconds. A longest life is not documented. */
const CALENDAR_CHANNEL: ChannelLife = { usualMs: WEEK_MS, longestMs: WEEK_MS };

function readText(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ApiError({ code: 400, reason: 'required', message: `Required: ${name}`, location: name });
}

function readAddress(body: Record<string, unknown>, isUnauthorized: boolean): string {
  const address = readText(body, 'address');
  if (isUnauthorized) {
    const message = `Unauthorized WebHook callback channel: ${address}`;
    throw new ApiError({ code: 401, reason: 'push.webhookUrlUnauthorized', message });
  }
  const isUsable = URL.canParse(address) && (address.startsWith('https://') || isLoopbackAddress(address));
  if (isUsable) return address;
  const message = `WebHook callback must be HTTPS: ${address}`;
  throw new ApiError({ code: 400, reason: 'push.webhookUrlNotHttps', message });
}

/** `params.ttl`, seconds that a channel is to live, as Calendar takes it (Google Calendar API, "Push notifications"). */
function readTtlMs(body: Record<string, unknown>): number | undefined {
  const ttl = isRecord(body.params) ? body.params.ttl : undefined;
  if (ttl === undefined) return undefined;
  const seconds = Number(ttl);
  if (!Number.isInteger(seconds) || seconds <= 0) throw badRequest(`Invalid ttl: ${String(ttl)}`);
  return seconds * 1000;
}

function readExpiration(call: ApiCall, body: Record<string, unknown>, { usualMs, longestMs }: ChannelLife): number {
  const nowMs = call.sim.clock.nowMs();
  const livesMs = readTtlMs(body) ?? usualMs;
  const wanted = body.expiration === undefined ? nowMs + livesMs : Number(body.expiration);
  if (!Number.isFinite(wanted) || wanted <= nowMs) {
    // Seconds are what most callers send by mistake; they lie in 1970.
    throw badRequest('Invalid ttl: the expiration must lie in the future, in milliseconds since the epoch.');
  }
  return Math.min(wanted, nowMs + longestMs);
}

function openChannel(call: ApiCall, resource: string, life: ChannelLife): ApiResult {
  const body = jsonBody(call.http);
  const id = readText(body, 'id');
  if (!/^[A-Za-z0-9\-_+/=]{1,64}$/.test(id)) throw badRequest(`Invalid channel id: ${id}`);
  if (call.sim.channels.find(id) !== undefined) {
    throw new ApiError({ code: 400, reason: 'channelIdNotUnique', message: `Channel id ${id} not unique` });
  }
  const type = readText(body, 'type');
  if (type !== 'web_hook' && type !== 'webhook') throw badRequest(`Unknown channel type: ${type}`);
  const address = readAddress(body, call.sim.channels.rules.unauthorized);
  const token = typeof body.token === 'string' ? body.token : undefined;
  const expirationMs = readExpiration(call, body, life);
  const resourceUri = call.sim.endpoints.api_base_url + call.http.path.replace(/\/watch$/, '');
  const { sub } = call.caller.account;
  // The same for every channel on one resource.
  const resourceId = createHash('sha256').update(`${sub} ${resource}`).digest('base64url').slice(0, 27);
  const { clientId } = call.caller.token;
  call.sim.observer?.onChannel?.({ id, token, resource, expirationMs });
  call.sim.channels.open({
    ...{ id, resourceId, resourceUri, resource, address, token, expirationMs, sub, clientId },
    messageNumber: 0,
  });
  const shownToken = token === undefined ? {} : { token };
  return {
    resource: { kind: 'api#channel', id, resourceId, resourceUri, ...shownToken, expiration: String(expirationMs) },
  };
}

/** `changes.watch`: the log of the user, or with `driveId` that of a shared drive, which has page tokens of its own. */
export function watchChanges(call: ApiCall): ApiResult {
  const driveId = requireStartPoint(call);
  return openChannel(call, driveId === undefined ? 'drive/changes' : `drive/changes/${driveId}`, CHANGES_CHANNEL);
}

/** `files.watch`. */
export function watchFile(call: ApiCall): ApiResult {
  const { id } = requireFile(call, pathParameter(call, 'fileId'));
  return openChannel(call, `drive/files/${id}`, FILE_CHANNEL);
}

/** Calendars that Google makes up (holidays, birthdays) and those of rooms tell nobody of changes. */
const WITHOUT_PUSH = /@(?:group\.v|resource)\.calendar\.google\.com$/;

/** `events.watch`. */
export function watchEvents(call: ApiCall): ApiResult {
  const { id } = requireCalendar(call, 'freeBusyReader').calendar;
  if (WITHOUT_PUSH.test(id)) {
    const message = 'Push notifications are not supported by this resource.';
    throw new ApiError({ code: 400, reason: 'pushNotSupportedForRequestedResource', message });
  }
  return openChannel(call, `calendar/events/${id}`, CALENDAR_CHANNEL);
}

/** `acl.watch`; owners only. */
export function watchRules(call: ApiCall): ApiResult {
  return openChannel(call, `calendar/acl/${requireCalendar(call, 'owner').calendar.id}`, CALENDAR_CHANNEL);
}

/** `calendarList.watch`. */
export function watchCalendarList(call: ApiCall): ApiResult {
  return openChannel(call, 'calendar/calendarList', CALENDAR_CHANNEL);
}

/** `settings.watch`: shows when a user changes a setting, which is done by `POST /__sim/settings` here. */
export function watchSettings(call: ApiCall): ApiResult {
  return openChannel(call, 'calendar/settings', CALENDAR_CHANNEL);
}

/** `channels.stop`: only for the user and the client that opened the channel; 204. */
export function stopChannel(call: ApiCall): ApiResult {
  const body = jsonBody(call.http);
  const id = readText(body, 'id');
  const channel = call.sim.channels.find(id);
  const { account, token } = call.caller;
  const isOwn =
    channel?.sub === account.sub && channel.clientId === token.clientId && channel.resourceId === body.resourceId;
  if (!isOwn) {
    const message = `Channel '${id}' not found for project '${projectOf(token.clientId)}'`;
    throw new ApiError({ code: 404, reason: 'channelUnknown', message });
  }
  call.sim.channels.stop(id);
  return { response: emptyResponse(204, API_HEADERS) };
}
