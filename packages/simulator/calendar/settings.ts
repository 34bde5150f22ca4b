import { type ApiCall, type ApiResult, integerParameter, pathParameter } from '../api/call.ts';
import { invalidParameter, notFound } from '../api/envelope.ts';
import { decodePageToken, encodePageToken, takePage } from '../api/page-token.ts';
import { sha256Hex } from '../random.ts';
import { encodeSyncToken, readSyncToken } from './sync-token.ts';

/** Google never returns more settings per page, whatever is asked. */
const MAX_PAGE = 250;

/** The settings of an account (Google Calendar API, "Settings"); nothing changes them here. */
function settingsOf(call: ApiCall): readonly (readonly [id: string, value: string])[] {
  return [
    ['autoAddHangouts', 'true'],
    ['dateFieldOrder', 'MDY'],
    ['defaultEventLength', '60'],
    ['format24HourTime', 'false'],
    ['hideInvitations', 'false'],
    ['hideWeekends', 'false'],
    ['locale', 'en'],
    ['remindOnRespondedEventsOnly', 'false'],
    ['showDeclinedEvents', 'true'],
    ['timezone', call.caller.account.timeZone],
    ['useKeyboardShortcuts', 'true'],
    ['weekStart', '0'],
  ];
}

function describe(id: string, value: string): Record<string, unknown> {
  return { kind: 'calendar#setting', etag: `"${sha256Hex(`${id} ${value}`).slice(0, 16)}"`, id, value };
}

/** `settings.get`. */
export function getSetting(call: ApiCall): ApiResult {
  const id = pathParameter(call, 'setting');
  const found = settingsOf(call).find(([name]) => name === id);
  if (found === undefined) throw notFound('Not Found');
  return { resource: describe(...found) };
}

/** `settings.list`: pages of 100 unless `maxResults` says otherwise; with a sync token nothing, since nothing changes. */
export function listSettings(call: ApiCall): ApiResult {
  const { sub } = call.caller.account;
  const collection = `settings ${sub}`;
  const nowMs = call.sim.clock.nowMs();
  const syncToken = call.query.get('syncToken');
  if (syncToken !== null) readSyncToken(call, syncToken, collection, 0);
  const settings = syncToken === null ? settingsOf(call) : [];
  const fingerprint = `${collection} ${syncToken}`;
  const token = call.query.get('pageToken');
  const offset = token === null ? 0 : decodePageToken(token, fingerprint);
  if (offset === undefined) throw invalidParameter('pageToken', 'Invalid page token value.');
  const { page, next } = takePage(settings, offset, Math.min(MAX_PAGE, integerParameter(call, 'maxResults', 100)));
  return {
    resource: {
      kind: 'calendar#settings',
      etag: `"p${sha256Hex(collection).slice(0, 20)}"`,
      ...(next === undefined
        ? { nextSyncToken: encodeSyncToken({ collection, seq: 0, issuedAtMs: nowMs, window: {} }) }
        : { nextPageToken: encodePageToken(next, fingerprint) }),
      items: page.map(([id, value]) => describe(id, value)),
    },
  };
}
