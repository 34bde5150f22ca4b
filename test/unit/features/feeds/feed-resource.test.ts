import { describe, expect, test } from 'vitest';
import {
  FEED_RESOURCE_RULE,
  type FeedCall,
  type FeedResource,
  feedResourceText,
  judgeRefusal,
  listCall,
  parseFeedResource,
  providerOfResource,
  readChannel,
  readPage,
  readStart,
  startCall,
  stopCall,
  watchCall,
} from '../../../../lambdas/features/feeds/feed-resource.rules.ts';

function resource(text: string): FeedResource {
  const parsed = parseFeedResource(text);
  if (parsed === undefined) throw new Error(`No resource ${text}`);
  return parsed;
}

const at = (token: string, page?: string) => ({ kind: 'at', token, page }) as const;

/** What Google is asked, with its query as Google reads it. */
function asked({ method, path }: FeedCall) {
  const url = new URL(path, 'https://google.test');
  return [`${method} ${url.pathname}`, Object.fromEntries(url.searchParams)];
}

const ALL_DRIVES = { supportsAllDrives: 'true' };
const ALL_ITEMS = { ...ALL_DRIVES, includeItemsFromAllDrives: 'true' };
const SHARED = { driveId: '0AB' };
const MOVES = { includeCorpusRemovals: 'true' };
const TEAM = '/calendar/v3/calendars/team%2Fa%40example.com';
const ME = '/calendar/v3/users/me';

describe('resources', () => {
  test.each([
    ['drive', 'google-drive', { kind: 'drive', id: '' }],
    ['drive:0AB', 'google-drive', { kind: 'shared_drive', id: '0AB' }],
    ['calendar:a@example.com', 'google-calendar', { kind: 'calendar', id: 'a@example.com' }],
    ['calendar_list', 'google-calendar', { kind: 'calendar_list', id: '' }],
    ['acl:a@example.com', 'google-calendar', { kind: 'acl', id: 'a@example.com' }],
    ['settings', 'google-calendar', { kind: 'settings', id: '' }],
    [`calendar:${'a'.repeat(254)}`, 'google-calendar', { kind: 'calendar', id: 'a'.repeat(254) }],
  ] as const)('%s is read, belongs to %s, and is written as it was read', (text, provider, parsed) => {
    expect(parseFeedResource(text)).toEqual(parsed);
    expect(providerOfResource(parsed)).toBe(provider);
    expect(feedResourceText(parsed)).toBe(text);
  });

  test.each([
    '',
    'Drive',
    'contacts',
    'drive:',
    'acl',
    'contacts:a',
    'calendar: a',
    'calendar:a b',
    'calendar:a\n',
    'calendar:é',
    `calendar:${'a'.repeat(255)}`,
  ])('%j is no resource', (text) => {
    expect(parseFeedResource(text)).toBeUndefined();
  });

  test.each([
    'drive',
    'drive:<shared drive id>',
    'calendar:<calendar id>',
    'calendar_list',
    'acl:<calendar id>',
    'settings',
  ])('a caller who sends none gets an error about %s', (form) => {
    expect(FEED_RESOURCE_RULE.split(/^send |, | or /)).toContain(form);
  });
});

describe('a first place in the history', () => {
  const tokens = { fields: 'nextPageToken,nextSyncToken' };

  test.each([
    ['drive', 'GET /drive/v3/changes/startPageToken', ALL_DRIVES],
    ['drive:0AB', 'GET /drive/v3/changes/startPageToken', { ...ALL_DRIVES, ...SHARED }],
    ['calendar:team/a@example.com', `GET ${TEAM}/events`, { ...tokens, maxResults: '2500' }],
    ['acl:team/a@example.com', `GET ${TEAM}/acl`, { ...tokens, maxResults: '250' }],
    ['calendar_list', `GET ${ME}/calendarList`, { ...tokens, maxResults: '250' }],
    ['settings', `GET ${ME}/settings`, { ...tokens, maxResults: '250' }],
  ])('a first place in the history of %s is asked for without any change', (text, call, query) => {
    expect(asked(startCall(resource(text), undefined))).toEqual([call, query]);
  });

  test('a first place in the history of a Calendar list is asked for page by page', () => {
    expect(asked(startCall(resource('settings'), 'p+/='))[1]).toMatchObject({ pageToken: 'p+/=' });
  });

  test.each([
    [{ startPageToken: '1' }, { token: '1' }],
    [{ nextSyncToken: '1' }, { token: '1' }],
    [{ nextSyncToken: '', nextPageToken: 'p' }, { page: 'p' }],
    [{ nextSyncToken: 1 }, undefined],
    [{}, undefined],
    [null, undefined],
    ['answer', undefined],
  ])('%j leads to %j', (answer, start) => {
    expect(readStart(answer)).toEqual(start);
  });
});

describe('a page of changes', () => {
  const driveFields = 'nextPageToken,newStartPageToken,changes(changeType,time,removed,fileId,driveId,file(mimeType))';
  const sharedDrive = { ...ALL_ITEMS, includeRemoved: 'true', pageSize: '100', fields: driveFields, pageToken: 't+/=' };
  const drive = { ...sharedDrive, ...MOVES };
  const calendar = (fields: string) => ({
    maxResults: '100',
    fields: `nextPageToken,nextSyncToken,items(${fields})`,
    syncToken: 't+/=',
  });

  test.each([
    ['drive', 'GET /drive/v3/changes', drive],
    ['drive:0AB', 'GET /drive/v3/changes', { ...sharedDrive, ...SHARED }],
    ['calendar:team/a@example.com', `GET ${TEAM}/events`, calendar('id,status,updated')],
    ['acl:team/a@example.com', `GET ${TEAM}/acl`, calendar('id,role')],
    ['calendar_list', `GET ${ME}/calendarList`, calendar('id,deleted')],
    ['settings', `GET ${ME}/settings`, calendar('id')],
  ])('CF-25: a page of changes of %s is asked for by ids and by what shows a removal', (text, call, query) => {
    expect(asked(listCall(resource(text), at('t+/=')))).toEqual([call, query]);
  });

  test('a page of changes of a Calendar list is asked for by the token and the page', () => {
    const [, query] = asked(listCall(resource('settings'), at('t', 'p')));
    expect(query).toMatchObject({ syncToken: 't', pageToken: 'p' });
  });

  test.each([
    ['drive', { newStartPageToken: '2' }, { next: at('2'), isLast: true }],
    ['drive:0AB', { nextPageToken: '2' }, { next: at('2'), isLast: false }],
    ['drive', { changes: [] }, undefined],
    ['settings', { nextSyncToken: '2' }, { next: at('2'), isLast: true }],
    // The old token stays until the last page is read.
    ['settings', { nextPageToken: 'p2' }, { next: at('1', 'p2'), isLast: false }],
    ['settings', { items: [] }, undefined],
  ])('a page of changes of %s with %j leads to the next one', (text, answer, page) => {
    const expected = page === undefined ? undefined : { ...page, changes: [] };
    expect(readPage(resource(text), at('1', text === 'drive' ? undefined : 'p1'), answer)).toEqual(expected);
  });

  const time = '2026-03-01T00:00:00.000Z';
  test.each([
    ['drive', { fileId: 'f', changeType: 'file', file: { mimeType: 'text/plain' }, time }, 'file', 'f', false],
    ['drive', { fileId: 'f', changeType: 'file', removed: true, time }, 'file', 'f', true],
    // Moved to a shared drive, where the account still reads it.
    ['drive', { fileId: 'f', removed: true, file: { mimeType: 'text/plain' }, time }, 'file', 'f', false],
    // Moved out of the drive that is watched.
    ['drive:0AB', { fileId: 'f', removed: true, file: { mimeType: 'text/plain' }, time }, 'file', 'f', true],
    ['drive', { fileId: 'f', removed: 'true' }, 'file', 'f', false],
    ['drive', { driveId: 'd', fileId: 'f', changeType: 'drive', removed: true, time }, 'drive', 'd', true],
    ['calendar:a', { id: 'e', status: 'confirmed', updated: time }, 'event', 'e', false],
    ['calendar:a', { id: 'e', status: 'cancelled', updated: time }, 'event', 'e', true],
    ['acl:a', { id: 'rule', role: 'reader' }, 'acl', 'rule', false],
    ['acl:a', { id: 'rule', role: 'none' }, 'acl', 'rule', true],
    ['calendar_list', { id: 'c' }, 'calendar', 'c', false],
    ['calendar_list', { id: 'c', deleted: true }, 'calendar', 'c', true],
    ['settings', { id: 'locale' }, 'setting', 'locale', false],
  ] as const)('a page of changes of %s with %j names one %s', (text, item, kind, id, removed) => {
    const answer = { changes: [item], items: [item], newStartPageToken: '2', nextSyncToken: '2' };
    const told = 'time' in item || 'updated' in item ? time : undefined;
    const mimeType = 'file' in item ? item.file.mimeType : undefined;
    expect(readPage(resource(text), at('1'), answer)?.changes).toEqual([{ id, kind, removed, time: told, mimeType }]);
  });

  test.each(['drive', 'settings'])('a page of changes of %s passes over what has no id', (text) => {
    const items = [null, 'item', {}, { id: '', fileId: '' }, { id: 1, fileId: 1, changeType: 'drive' }];
    const answer = { changes: items, items, newStartPageToken: '2', nextSyncToken: '2' };
    expect(readPage(resource(text), at('1'), answer)?.changes).toEqual([]);
  });
});

describe('a channel', () => {
  const channel = { id: 'channel-1', token: 'secret', address: 'https://gateway.test/inbox', nowMs: 1_000 };
  const body = { id: 'channel-1', type: 'web_hook', address: 'https://gateway.test/inbox', token: 'secret' };
  // A week; Drive wants the moment in milliseconds.
  const driveBody = { ...body, expiration: '604801000' };
  const calendarBody = { ...body, params: { ttl: '604800' } };

  test.each([
    ['drive', 'POST /drive/v3/changes/watch', { ...ALL_ITEMS, ...MOVES, pageToken: '1' }, driveBody],
    ['drive:0AB', 'POST /drive/v3/changes/watch', { ...ALL_ITEMS, ...SHARED, pageToken: '1' }, driveBody],
    ['calendar:team/a@example.com', `POST ${TEAM}/events/watch`, {}, calendarBody],
    ['acl:team/a@example.com', `POST ${TEAM}/acl/watch`, {}, calendarBody],
    ['calendar_list', `POST ${ME}/calendarList/watch`, {}, calendarBody],
    ['settings', `POST ${ME}/settings/watch`, {}, calendarBody],
  ])('a channel on %s is opened for the longest life there is', (text, call, query, sent) => {
    const made = watchCall(resource(text), at('1'), channel);
    expect([...asked(made), made.body]).toEqual([call, query, sent]);
  });

  test.each([
    ['drive', '/drive/v3/channels/stop'],
    ['drive:0AB', '/drive/v3/channels/stop'],
    ['calendar:a', '/calendar/v3/channels/stop'],
    ['settings', '/calendar/v3/channels/stop'],
  ])('a channel on %s is closed by the names of both sides', (text, path) => {
    const named = { id: 'channel-1', resourceId: 'r' };
    expect(stopCall(resource(text), named)).toEqual({ method: 'POST', path, body: named });
  });

  test.each([
    ['the end it was granted', '5999', 5],
    ['an hour when no end is named', undefined, 4_600],
    ['an hour when the end is no number', 'soon', 4_600],
    ['an hour when it never ends', 'Infinity', 4_600],
    ['an hour when the end is 0', '0', 4_600],
    ['an hour when the end is before all time', '-5000', 4_600],
  ])('lives until %s', (_, expiration, endsAtEpochSec) => {
    expect(readChannel({ resourceId: 'r', expiration }, 1_000)).toEqual({ resourceId: 'r', endsAtEpochSec });
  });

  test.each([[{ expiration: '5000' }], [{ resourceId: '' }], [null]])(
    'a channel is not open after the answer %j',
    (answer) => {
      expect(readChannel(answer, 1_000)).toBeUndefined();
    },
  );
});

describe('a refusal', () => {
  const REFUSALS = [
    ['expired', 410, 'fullSyncRequired', undefined],
    ['expired', 400, 'invalid', 'pageToken'],
    ['expired', 400, 'invalid', 'syncToken'],
    ['refused', 400, 'invalid', 'driveId'],
    ['failed', 500, 'backendError', 'pageToken'],
    ['unauthorized', 401, 'authError', 'Authorization'],
    ['rate', 429, 'unknown', undefined],
    ['rate', 403, 'rateLimitExceeded', undefined],
    ['user_rate', 403, 'userRateLimitExceeded', undefined],
    ['user_rate', 429, 'userRateLimitExceeded', undefined],
    ['user_rate', 403, 'quotaExceeded', undefined],
    ['rate', 429, 'rateLimitExceeded', undefined],
    ['rate', 403, 'dailyLimitExceeded', undefined],
    ['user_rate', 403, 'sharingRateLimitExceeded', undefined],
    ['refused', 403, 'forbidden', undefined],
    ['refused', 404, 'notFound', undefined],
    ['refused', 403, 'constructor', undefined],
    ['refused', 404, 'quotaExceeded', undefined],
    ['failed', 503, 'rateLimitExceeded', undefined],
    ['push_not_supported', 400, 'pushNotSupportedForRequestedResource', undefined],
    ['address_not_authorized', 401, 'push.webhookUrlUnauthorized', undefined],
    ['address_not_authorized', 401, 'webhookUrlUnauthorized', undefined],
    ['address_not_https', 400, 'push.webhookUrlNotHttps', undefined],
    ['address_not_https', 400, 'webhookUrlNotHttps', undefined],
  ] as const;

  test.each(REFUSALS)('a refusal is %s for %i %s at %s', (refusal, status, reason, location) => {
    expect(judgeRefusal(status, { error: { errors: [{ reason, location }, { reason: 'other' }] } })).toBe(refusal);
  });

  test.each([
    [410, 'expired'],
    [400, 'refused'],
    [401, 'unauthorized'],
    [403, 'refused'],
    [404, 'refused'],
    [429, 'rate'],
    [500, 'failed'],
  ])('without a reason, %i is %s', (status, refusal) => {
    for (const answer of [undefined, 'text', {}, { error: null }, { error: { errors: 'none' } }])
      expect(judgeRefusal(status, answer)).toBe(refusal);
  });
});
