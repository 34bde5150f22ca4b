import { randomUUID } from 'node:crypto';
import { auth, calendar, type calendar_v3 } from '@googleapis/calendar';
import { beforeAll, describe, expect, test } from 'vitest';
import { googleAuth } from '../../../packages/client/src/index.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { seenUpstream, type WriterGateway } from './writers.ts';

/** Google's client for Calendar, over a gateway of the file that calls this. */
export function describeGoogleCalendar(shared: () => WriterGateway): void {
  describe('Google’s client for Calendar', () => {
    let gateway: WriterGateway;
    let client: calendar_v3.Calendar;
    beforeAll(() => {
      gateway = shared();
      const { baseUrl, secretKey, calendar: writer } = gateway;
      expect(baseUrl).toMatch(/\/v1$/);
      client = calendar({
        version: 'v3',
        auth: googleAuth({ OAuth2: auth.OAuth2, baseUrl, secretKey, ...writer }),
        retry: false,
      });
    });

    const EVENT = {
      summary: 'Planning',
      start: { dateTime: '2026-12-01T10:00:00Z' },
      end: { dateTime: '2026-12-01T11:00:00Z' },
    };

    async function insert(): Promise<calendar_v3.Schema$Event> {
      const { data } = await client.events.insert({ calendarId: 'primary', requestBody: EVENT });
      expect(data).toMatchObject({ kind: 'calendar#event', summary: 'Planning' });
      return data;
    }

    describe('the Calendar client', () => {
      test('lists calendars and the events of one whose id holds # and @', async () => {
        const { data } = await client.calendarList.list();
        const holidays = data.items?.find(({ id }) => id?.includes('#holiday@'))?.id ?? '';
        expect(holidays).not.toBe('');
        const events = await client.events.list({ calendarId: holidays, maxResults: 3 });
        expect(events.data.kind).toBe('calendar#events');
        const [list] = (await seenUpstream(gateway.test)).slice(-1);
        expect(list?.target).toBe(`/calendar/v3/calendars/${encodeURIComponent(holidays)}/events?maxResults=3`);
      });

      test('lists to the last page, which has the sync token', async () => {
        let pageToken: string | undefined;
        let count = 0;
        let syncToken: string | null | undefined;
        do {
          const { data } = await client.events.list({
            calendarId: 'primary',
            maxResults: 90,
            ...(pageToken ? { pageToken } : {}),
          });
          count += data.items?.length ?? 0;
          pageToken = data.nextPageToken ?? undefined;
          syncToken = data.nextSyncToken;
        } while (pageToken !== undefined);
        expect(count).toBeGreaterThan(90);
        expect(syncToken).toEqual(expect.any(String));
      });

      test('inserts, patches under its etag and deletes an event', async () => {
        const { id, etag } = await insert();
        const eventId = id ?? '';
        const patch = (ifMatch: string) =>
          client.events.patch(
            { calendarId: 'primary', eventId, requestBody: { summary: 'Moved' } },
            { headers: { 'If-Match': ifMatch } },
          );
        expect((await patch(etag ?? '')).data.summary).toBe('Moved');
        await expect(patch('"0"')).rejects.toMatchObject({ status: 412 });
        expect((await client.events.delete({ calendarId: 'primary', eventId })).status).toBe(204);
        await expect(client.events.delete({ calendarId: 'primary', eventId })).rejects.toMatchObject({ status: 410 });
      });

      test('takes 304 for an event that has not changed', async () => {
        const { id, etag } = await insert();
        const headers = { 'If-None-Match': etag ?? '' };
        const { status } = await client.events.get({ calendarId: 'primary', eventId: id ?? '' }, { headers });
        expect(status).toBe(304);
      });

      test('watches events, and is notified of a new one', async () => {
        await using receiver = await startWebhookReceiver();
        const id = randomUUID();
        const requestBody = { id, type: 'web_hook', address: receiver.address };
        const { data } = await client.events.watch({ calendarId: 'primary', requestBody });
        expect(data).toMatchObject({ kind: 'api#channel', id });
        const told = (state: string) =>
          receiver.waitFor(
            ({ headers }) => headers['x-goog-channel-id'] === id && headers['x-goog-resource-state'] === state,
          );
        await told('sync');
        await insert();
        await told('exists');
        await client.channels.stop({ requestBody: { id, resourceId: data.resourceId ?? '' } });
      });
    });
  });
}
