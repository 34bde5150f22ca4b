// @module-tag long
import { describe, expect, test } from 'vitest';
import { type Json, useUndoWorld } from './undo-world.ts';

const world = useUndoWorld();
const { ask, undo } = world;

const DRIVE = '/drive/v3';
const UPLOAD = '/upload/drive/v3';
const CALENDAR = '/calendar/v3';
const EVENTS = `${CALENDAR}/calendars/primary/events`;
const SECOND = 'second.user@example.com';
const FILE_FIELDS =
  'name,description,mimeType,parents,trashed,explicitlyTrashed,starred,properties,appProperties,md5Checksum,folderColorRgb,copyRequiresWriterPermission,writersCanShare,contentRestrictions(readOnly,reason),permissions(id,role,type,emailAddress,expirationTime)';

/** Members of an event that its users see; that an import was a private copy cannot be taken back. */
const visible = ({ etag: _e, updated: _u, sequence: _s, privateCopy: _p, ...rest }: Json): Json => rest;

const file = (id: string) => ask('person', 'GET', `${DRIVE}/files/${id}?fields=${FILE_FIELDS}`);
const event = async (id: string, calendar = 'primary') =>
  visible(await ask('person', 'GET', `${CALENDAR}/calendars/${encodeURIComponent(calendar)}/events/${id}`));
const newFile = (body: Json, content = 'first content') =>
  ask('person', 'POST', `${UPLOAD}/files?uploadType=multipart&fields=id`, related(body, content), RELATED);
const newFolder = (name: string) =>
  ask('person', 'POST', `${DRIVE}/files?fields=id`, { name, mimeType: 'application/vnd.google-apps.folder' });
const newEvent = (body: Json = {}) =>
  ask('person', 'POST', EVENTS, {
    summary: 'Planning',
    description: 'Bring numbers',
    start: { dateTime: '2027-03-01T10:00:00Z' },
    end: { dateTime: '2027-03-01T11:00:00Z' },
    ...body,
  });

const RELATED = { 'content-type': 'multipart/related; boundary=bb' };
const related = (body: Json, content: string) =>
  `--bb\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(body)}\r\n--bb\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--bb--\r\n`;

/** A write of the key, and what must be as it was after its undo. */
interface Case {
  readonly of: string;
  /** Prepares, and says how to look at what is about to change and how the key changes it. */
  readonly make: () => Promise<{ readonly look: () => Promise<Json>; readonly write: () => Promise<unknown> }>;
}

const CASES: readonly Case[] = [
  {
    of: 'files.create',
    make: async () => {
      let id = '';
      const look = async () => (id === '' ? 'none' : (await file(id)).trashed ? 'none' : 'there');
      return {
        look,
        write: async () => {
          ({ id } = await ask('agent', 'POST', `${DRIVE}/files`, { name: 'made', mimeType: 'text/plain' }));
          expect(await look()).toBe('there');
        },
      };
    },
  },
  {
    of: 'files.copy',
    make: async () => {
      const { id } = await newFile({ name: 'original' });
      let copy = '';
      return {
        look: async () => (copy === '' || (await file(copy)).trashed ? 'none' : 'there'),
        write: async () => {
          ({ id: copy } = await ask('agent', 'POST', `${DRIVE}/files/${id}/copy`, {}));
        },
      };
    },
  },
  {
    of: 'an upload',
    make: async () => {
      let id = '';
      return {
        look: async () => (id === '' || (await file(id)).trashed ? 'none' : 'there'),
        write: async () => {
          const body = related({ name: 'up' }, 'bytes');
          ({ id } = await ask('agent', 'POST', `${UPLOAD}/files?uploadType=multipart`, body, RELATED));
        },
      };
    },
  },
  {
    of: 'a resumable upload of a new file',
    make: async () => {
      let id = '';
      return {
        look: async () => (id === '' || (await file(id)).trashed ? 'none' : 'there'),
        write: async () => {
          ({ id } = await resumable(
            'POST',
            `${UPLOAD}/files?uploadType=resumable`,
            { name: 'by parts' },
            'some bytes',
          ));
        },
      };
    },
  },
  {
    of: 'a resumable upload over a file, with metadata',
    make: async () => {
      const { id } = await newFile({ name: 'before', description: 'as it was' });
      return {
        look: () => file(id),
        write: () => resumable('PATCH', `${UPLOAD}/files/${id}?uploadType=resumable`, { name: 'after' }, 'other bytes'),
      };
    },
  },
  {
    of: 'files.update of metadata',
    make: async () => {
      const { id } = await newFile({
        name: 'report',
        description: 'x',
        properties: { a: '1', keep: 'k' },
        starred: true,
      });
      return {
        look: () => file(id),
        write: () =>
          ask('agent', 'PATCH', `${DRIVE}/files/${id}`, {
            ...{ name: 'renamed', description: 'y', starred: false, writersCanShare: false },
            ...{ properties: { a: '2', b: 'new' }, appProperties: { mine: 'x' }, copyRequiresWriterPermission: true },
          }),
      };
    },
  },
  {
    of: 'files.update of a member that was not there',
    make: async () => {
      const { id } = await newFile({ name: 'plain' });
      return {
        look: () => file(id),
        write: () =>
          ask('agent', 'PATCH', `${DRIVE}/files/${id}`, {
            description: 'now one',
            contentRestrictions: [{ readOnly: true, reason: 'final' }],
          }),
      };
    },
  },
  {
    of: 'files.update of the folder',
    make: async () => {
      const [from, to] = [await newFolder('from'), await newFolder('to')];
      const { id } = await newFile({ name: 'moved', parents: [from.id] });
      return {
        look: () => file(id),
        write: () =>
          ask('agent', 'PATCH', `${DRIVE}/files/${id}?addParents=${to.id}&removeParents=${from.id}`, {
            name: 'gone there',
          }),
      };
    },
  },
  {
    of: 'files.update into the trash and out of it',
    make: async () => {
      const { id } = await newFile({ name: 'to the trash' });
      return {
        look: () => file(id),
        write: async () => {
          await ask('agent', 'PATCH', `${DRIVE}/files/${id}`, { trashed: true });
          await ask('agent', 'PATCH', `${DRIVE}/files/${id}`, { trashed: false });
          await ask('agent', 'PATCH', `${DRIVE}/files/${id}`, { trashed: true });
        },
      };
    },
  },
  {
    of: 'the trash of a folder with a file that was in the trash before',
    make: async () => {
      const folder = await newFolder('bin me');
      const [stays, gone] = [
        await newFile({ name: 'a', parents: [folder.id] }),
        await newFile({ name: 'b', parents: [folder.id] }),
      ];
      await ask('person', 'PATCH', `${DRIVE}/files/${gone.id}`, { trashed: true });
      return {
        look: async () => [await file(folder.id), await file(stays.id), await file(gone.id)],
        write: () => ask('agent', 'PATCH', `${DRIVE}/files/${folder.id}`, { trashed: true }),
      };
    },
  },
  {
    of: 'files.update of the content',
    make: async () => {
      const { id } = await newFile({ name: 'bytes' }, 'the old bytes');
      return {
        look: async () => [await file(id), await ask('person', 'GET', `${DRIVE}/files/${id}?alt=media`)],
        write: async () => {
          const type = { 'content-type': 'application/json' };
          await ask('agent', 'PATCH', `${UPLOAD}/files/${id}?uploadType=media`, '{"new":1}', type);
          await ask('agent', 'PATCH', `${UPLOAD}/files/${id}?uploadType=media`, 'newer', {
            'content-type': 'text/plain',
          });
        },
      };
    },
  },
  {
    of: 'permissions.create',
    make: async () => {
      const { id } = await newFile({ name: 'shared' });
      return { look: () => file(id), write: () => share(id, { type: 'user', role: 'writer', emailAddress: SECOND }) };
    },
  },
  {
    of: 'permissions.create for somebody who has one',
    make: async () => {
      const { id } = await newFile({ name: 'shared more' });
      await share(id, { type: 'user', role: 'reader', emailAddress: SECOND }, 'person');
      return { look: () => file(id), write: () => share(id, { type: 'user', role: 'writer', emailAddress: SECOND }) };
    },
  },
  {
    of: 'permissions.update',
    make: async () => {
      const { id } = await newFile({ name: 'shared' });
      const expirationTime = new Date(Date.now() + 86_400_000 * 5).toISOString();
      const { id: who } = await share(id, { type: 'user', role: 'reader', emailAddress: SECOND }, 'person');
      return {
        look: () => file(id),
        write: () =>
          ask('agent', 'PATCH', `${DRIVE}/files/${id}/permissions/${who}`, { role: 'commenter', expirationTime }),
      };
    },
  },
  {
    of: 'permissions.delete',
    make: async () => {
      const { id } = await newFile({ name: 'shared' });
      const { id: who } = await share(id, { type: 'user', role: 'commenter', emailAddress: SECOND }, 'person');
      const { id: anyone } = await share(id, { type: 'anyone', role: 'reader' }, 'person');
      return {
        look: async () => sorted(await file(id)),
        write: async () => {
          await ask('agent', 'DELETE', `${DRIVE}/files/${id}/permissions/${who}`);
          await ask('agent', 'DELETE', `${DRIVE}/files/${id}/permissions/${anyone}`);
        },
      };
    },
  },
  {
    of: 'comments.create, replies.create and their updates',
    make: async () => {
      const { id } = await newFile({ name: 'talked about' });
      const comments = `${DRIVE}/files/${id}/comments`;
      const said = await ask('person', 'POST', `${comments}?fields=id`, { content: 'first' });
      const answered = await ask('person', 'POST', `${comments}/${said.id}/replies?fields=id`, { content: 'yes' });
      return {
        look: () => ask('person', 'GET', `${comments}?fields=comments(content,resolved,replies(content))`),
        write: async () => {
          const made = await ask('agent', 'POST', `${comments}?fields=id`, { content: 'mine' });
          await ask('agent', 'POST', `${comments}/${made.id}/replies?fields=id`, { content: 'my reply' });
          await ask('agent', 'PATCH', `${comments}/${said.id}?fields=id`, { content: 'changed' });
          await ask('agent', 'PATCH', `${comments}/${said.id}/replies/${answered.id}?fields=id`, { content: 'no' });
        },
      };
    },
  },
  {
    of: 'a resolved comment',
    make: async () => {
      const { id } = await newFile({ name: 'talked about' });
      const comments = `${DRIVE}/files/${id}/comments`;
      const said = await ask('person', 'POST', `${comments}?fields=id`, { content: 'first' });
      return {
        look: async () => (await ask('person', 'GET', `${comments}/${said.id}?fields=resolved`)).resolved === true,
        write: () => ask('agent', 'POST', `${comments}/${said.id}/replies?fields=id,action`, { action: 'resolve' }),
      };
    },
  },
  {
    of: 'revisions.update',
    make: async () => {
      const { id } = await newFile({ name: 'kept' });
      const { revisions } = await ask('person', 'GET', `${DRIVE}/files/${id}/revisions`);
      const path = `${DRIVE}/files/${id}/revisions/${revisions[0].id}`;
      return {
        look: () => ask('person', 'GET', `${path}?fields=keepForever,published`),
        write: () => ask('agent', 'PATCH', path, { keepForever: true }),
      };
    },
  },
  {
    of: 'files.modifyLabels: a label that is new, changed and removed',
    make: async () => {
      const { id } = await newFile({ name: 'labelled', mimeType: 'text/plain' });
      const modify = (who: 'agent' | 'person', labelModifications: Json[]) =>
        ask(who, 'POST', `${DRIVE}/files/${id}/modifyLabels`, { labelModifications });
      const set = (labelId: string, ...fieldModifications: Json[]) => ({ labelId, fieldModifications });
      const text = { fieldId: 'status', setTextValues: ['draft'] };
      const day = { fieldId: 'due', setDateValues: ['2027-01-31'] };
      await modify('person', [
        set('changed', text, day, { fieldId: 'count', setIntegerValues: ['3'] }),
        set(
          'removed',
          { fieldId: 'who', setUserValues: [SECOND] },
          { fieldId: 'kind', setSelectionValues: ['a', 'b'] },
        ),
      ]);
      const look = async () => {
        const { labels } = await ask('person', 'GET', `${DRIVE}/files/${id}/listLabels`);
        const shown = labels.map(({ id: label, fields }: Json) => [label, fields]);
        return Object.fromEntries(shown.toSorted());
      };
      return {
        look,
        write: async () => {
          await modify('agent', [
            set('changed', { ...text, setTextValues: ['final'] }, { fieldId: 'due', unsetValues: true }),
          ]);
          await modify('agent', [set('changed', { fieldId: 'added', setTextValues: ['x'] }), set('new', text)]);
          await modify('agent', [{ labelId: 'removed', removeLabel: true }]);
        },
      };
    },
  },
  {
    of: 'drives.create, update, hide and unhide',
    make: async () => {
      const made = await ask('person', 'POST', `${DRIVE}/drives?requestId=${crypto.randomUUID()}`, { name: 'Team' });
      const path = `${DRIVE}/drives/${made.id}`;
      const look = async () => {
        const { drives } = await ask('person', 'GET', `${DRIVE}/drives?pageSize=100`);
        const { name, hidden, restrictions, colorRgb } = await ask(
          'person',
          'GET',
          `${path}?fields=name,hidden,restrictions,colorRgb`,
        );
        return { name, hidden, restrictions, colorRgb, count: drives.length };
      };
      return {
        look,
        write: async () => {
          await ask('agent', 'PATCH', path, { name: 'Renamed', restrictions: { domainUsersOnly: true } });
          await ask('agent', 'POST', `${path}/hide`);
          await ask('agent', 'POST', `${path}/unhide`);
          await ask('agent', 'POST', `${path}/hide`);
          await ask('agent', 'POST', `${DRIVE}/drives?requestId=${crypto.randomUUID()}`, { name: 'Of the agent' });
        },
      };
    },
  },
  {
    of: 'files of a shared drive: made, renamed, moved, put into the trash',
    make: async () => {
      const all = 'supportsAllDrives=true';
      const made = await ask('person', 'POST', `${DRIVE}/drives?requestId=${crypto.randomUUID()}`, { name: 'Team' });
      const put = (name: string, mimeType: string, parent: string) =>
        ask('person', 'POST', `${DRIVE}/files?${all}&fields=id`, { name, mimeType, parents: [parent] });
      const { id: folder } = await put('folder', 'application/vnd.google-apps.folder', made.id);
      const { id } = await put('plan', 'text/plain', made.id);
      const path = `${DRIVE}/files/${id}`;
      const look = async () => {
        const list = `corpora=drive&driveId=${made.id}&includeItemsFromAllDrives=true&${all}&q=trashed%3Dfalse`;
        const { files } = await ask('person', 'GET', `${DRIVE}/files?${list}&fields=files(id)`);
        const shown = await ask('person', 'GET', `${path}?${all}&fields=name,description,parents,trashed,driveId`);
        return { ...shown, count: files.length };
      };
      return {
        look,
        write: async () => {
          await ask('agent', 'PATCH', `${path}?${all}`, { name: 'renamed', description: 'new' });
          await ask('agent', 'PATCH', `${path}?${all}&addParents=${folder}&removeParents=${made.id}`, {});
          await ask('agent', 'PATCH', `${path}?${all}`, { trashed: true });
          await ask('agent', 'POST', `${DRIVE}/files?${all}`, { name: 'by the agent', parents: [made.id] });
        },
      };
    },
  },
  {
    of: 'events.insert, quickAdd and import',
    make: async () => ({
      look: async () => (await ask('person', 'GET', `${EVENTS}?fields=items(summary)&maxResults=2500`)).items.length,
      write: async () => {
        const body = { summary: 'agent', start: { date: '2027-05-01' }, end: { date: '2027-05-02' } };
        await ask('agent', 'POST', EVENTS, body);
        await ask('agent', 'POST', `${EVENTS}/quickAdd?text=Lunch%20tomorrow%20at%201pm`);
        await ask('agent', 'POST', `${EVENTS}/import`, { ...body, iCalUID: 'imported@example.com' });
      },
    }),
  },
  {
    of: 'an import over an event that was there',
    make: async () => {
      const made = await newEvent();
      const { iCalUID } = await ask('person', 'GET', `${EVENTS}/${made.id}`);
      return {
        look: () => event(made.id),
        write: () =>
          ask('agent', 'POST', `${EVENTS}/import`, {
            ...{ iCalUID, summary: 'other', start: { date: '2027-05-01' }, end: { date: '2027-05-02' } },
          }),
      };
    },
  },
  {
    of: 'events.patch and update',
    make: async () => {
      const attendees = [{ email: SECOND }, { email: 'guest@elsewhere.example', optional: true }];
      const made = await newEvent({
        attendees,
        location: 'Room 1',
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
      });
      return {
        look: () => event(made.id),
        write: async () => {
          await ask('agent', 'PATCH', `${EVENTS}/${made.id}`, { summary: 'Moved', description: null, colorId: '5' });
          const { start, end } = made;
          await ask('agent', 'PUT', `${EVENTS}/${made.id}`, { start, end, summary: 'Bare' });
        },
      };
    },
  },
  {
    of: 'a conference that is taken away',
    make: async () => {
      const made = await ask('person', 'POST', `${EVENTS}?conferenceDataVersion=1`, {
        ...{ summary: 'Call', start: { date: '2027-05-01' }, end: { date: '2027-05-02' } },
        conferenceData: { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
      });
      return {
        look: () => event(made.id),
        write: () => ask('agent', 'PATCH', `${EVENTS}/${made.id}?conferenceDataVersion=1`, { conferenceData: null }),
      };
    },
  },
  {
    of: 'events.delete',
    make: async () => {
      const made = await newEvent({ attendees: [{ email: SECOND }] });
      return { look: () => event(made.id), write: () => ask('agent', 'DELETE', `${EVENTS}/${made.id}`) };
    },
  },
  {
    of: 'events.delete of an instance, and of a series with exceptions',
    make: async () => {
      const series = await newEvent({
        start: { dateTime: '2027-03-01T10:00:00Z', timeZone: 'Europe/Berlin' },
        end: { dateTime: '2027-03-01T11:00:00Z', timeZone: 'Europe/Berlin' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=5'],
      });
      const instances = `${EVENTS}/${series.id}/instances`;
      const { items } = await ask('person', 'GET', instances);
      await ask('person', 'PATCH', `${EVENTS}/${items[1].id}`, { summary: 'Special' });
      await ask('person', 'DELETE', `${EVENTS}/${items[3].id}`);
      return {
        look: async () => (await ask('person', 'GET', `${instances}?showDeleted=true`)).items.map(visible),
        write: async () => {
          await ask('agent', 'DELETE', `${EVENTS}/${items[2].id}`);
          await ask('agent', 'PATCH', `${EVENTS}/${items[4].id}`, { summary: 'Mine' });
          await ask('agent', 'DELETE', `${EVENTS}/${series.id}`);
        },
      };
    },
  },
  {
    of: 'events.move',
    make: async () => {
      const other = await ask('person', 'POST', `${CALENDAR}/calendars`, { summary: 'Other' });
      const made = await newEvent();
      return {
        look: async () => [await event(made.id), await calendarHolds(other.id, made.id)],
        write: async () => {
          await ask('agent', 'PATCH', `${EVENTS}/${made.id}`, { summary: 'Before it moves' });
          await ask('agent', 'POST', `${EVENTS}/${made.id}/move?destination=${encodeURIComponent(other.id)}`);
          const there = `${CALENDAR}/calendars/${encodeURIComponent(other.id)}/events/${made.id}`;
          await ask('agent', 'PATCH', there, { summary: 'After it moved' });
        },
      };
    },
  },
  {
    of: 'acl.insert, patch and delete',
    make: async () => {
      const { id } = await ask('person', 'POST', `${CALENDAR}/calendars`, { summary: 'Shared' });
      const acl = `${CALENDAR}/calendars/${encodeURIComponent(id)}/acl`;
      const given = (role: string, value: string) => ({ role, scope: { type: 'user', value } });
      await ask('person', 'POST', acl, given('reader', SECOND));
      await ask('person', 'POST', acl, given('writer', 'editor@workspace.example'));
      return {
        look: async () => sortedRules((await ask('person', 'GET', acl)).items),
        write: async () => {
          await ask('agent', 'POST', acl, given('owner', 'viewer@workspace.example'));
          await ask('agent', 'PATCH', `${acl}/user:${SECOND}`, { role: 'writer' });
          await ask('agent', 'DELETE', `${acl}/user:editor@workspace.example`);
          await ask('agent', 'POST', acl, given('freeBusyReader', SECOND));
        },
      };
    },
  },
  {
    of: 'calendarList and calendars',
    make: async () => {
      const { id } = await ask('person', 'POST', `${CALENDAR}/calendars`, {
        summary: 'Listed',
        timeZone: 'Europe/Rome',
      });
      const entry = `${CALENDAR}/users/me/calendarList/${encodeURIComponent(id)}`;
      const calendar = `${CALENDAR}/calendars/${encodeURIComponent(id)}`;
      const shown = ({ etag: _e, ...rest }: Json) => rest;
      const list = async () => (await ask('person', 'GET', `${CALENDAR}/users/me/calendarList`)).items.map(shown);
      return {
        look: async () => [await list(), shown(await ask('person', 'GET', calendar))],
        write: async () => {
          await ask('agent', 'PATCH', entry, { summaryOverride: 'Mine', colorId: '9', selected: false });
          await ask('agent', 'PATCH', calendar, { summary: 'Renamed', description: 'new' });
          await ask('agent', 'PUT', entry, { hidden: true });
          await ask('agent', 'DELETE', entry);
          await ask('agent', 'POST', `${CALENDAR}/users/me/calendarList`, { id });
          await ask('agent', 'POST', `${CALENDAR}/calendars`, { summary: 'Of the agent' });
        },
      };
    },
  },
];

const share = (id: string, body: Json, who: 'agent' | 'person' = 'agent') =>
  ask(who, 'POST', `${DRIVE}/files/${id}/permissions?fields=id`, body);
const sorted = (shown: Json) => ({
  ...shown,
  permissions: shown.permissions.toSorted((a: Json, b: Json) => (a.id < b.id ? -1 : 1)),
});
const sortedRules = (items: Json[]) =>
  items.map(({ id, role }) => ({ id, role })).toSorted((a, b) => (a.id < b.id ? -1 : 1));

async function calendarHolds(calendar: string, id: string): Promise<boolean> {
  const path = `${CALENDAR}/calendars/${encodeURIComponent(calendar)}/events/${id}`;
  const answer = await world.send('person', 'GET', path);
  return answer.ok && (await answer.json()).status !== 'cancelled';
}

async function resumable(method: string, path: string, metadata: Json, content: string): Promise<Json> {
  const started = await world.send('agent', method, path, {
    headers: { 'content-type': 'application/json', 'x-upload-content-type': 'text/plain' },
    body: JSON.stringify(metadata),
  });
  expect(started.status).toBe(200);
  const session = new URL(started.headers.get('location') ?? '');
  const last = content.length - 1;
  const sent = await world.send('agent', 'PUT', session.pathname.replace(/^.*?\/proxy/, '') + session.search, {
    headers: { 'content-range': `bytes 0-${last}/${content.length}` },
    body: content,
  });
  expect(sent.status).toBe(200);
  return sent.json();
}

describe('what a journalled key wrote is as it was after an undo', () => {
  test.each(CASES.map(({ of, make }) => [of, make] as const))('AP-20: %s', (_, make) => isAsItWas(make));

  async function isAsItWas(make: (typeof CASES)[number]['make']): Promise<void> {
    const { look, write } = await make();
    const before = await look();
    const since = new Date();
    await write();
    const planned = await undo(since, { dryRun: true });
    const done = await undo(since);
    expect([done.conflicts, done.not_undoable]).toEqual([[], []]);
    expect(done.undone.length).toBeGreaterThan(0);
    expect([planned.undone.length, planned.conflicts]).toEqual([done.undone.length, []]);
    expect(await look()).toEqual(before);
    // Again: nothing is left to undo, and nothing is undone twice.
    expect(await undo(since)).toEqual({ undone: [], conflicts: [], not_undoable: [] });
    expect(await look()).toEqual(before);
  }
});
