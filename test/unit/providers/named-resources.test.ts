import { describe, expect, it } from 'vitest';
import { outsideResources, RESOURCE_NAME } from '../../../lambdas/gateway/providers/named-resources.rules.ts';

const ALLOWED = new Set([
  'file:folder1',
  'file:doc1',
  'calendar:team@example.com',
  'calendar:en.usa#holiday@group.v.calendar.google.com',
]);
const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const judge = (methodId: string, target: string, body?: unknown, form?: string) =>
  outsideResources(
    methodId,
    { target, ...(body === undefined ? {} : { body: json(body) }), ...(form === undefined ? {} : { form }) },
    ALLOWED,
  );

describe('a request of a key that is limited to resources', () => {
  it.each<[string, string, unknown?]>([
    ['drive.files.get', '/drive/v3/files/doc1?fields=*'],
    ['drive.files.get#media', '/drive/v3/files/doc1?alt=media'],
    ['drive.files.export', '/drive/v3/files/doc1/export?mimeType=text/plain'],
    ['drive.permissions.list', '/drive/v3/files/doc1/permissions'],
    ['drive.files.update', '/drive/v3/files/doc1', { name: 'new' }],
    ['drive.files.update', '/upload/drive/v3/files/doc1?uploadType=media'],
    ['drive.files.update', '/drive/v3/files/doc1?addParents=folder1', {}],
    ['drive.files.create', '/drive/v3/files', { name: 'a', parents: ['folder1'] }],
    ['drive.files.copy', '/drive/v3/files/doc1/copy', { parents: ['folder1'] }],
    ['drive.files.list', '/drive/v3/files?q=%27folder1%27+in+parents'],
    ['drive.files.list', "/drive/v3/files?q='folder1' in parents and trashed = false&pageSize=5"],
    ['calendar.events.list', '/calendar/v3/calendars/team%40example.com/events?q=x'],
    ['calendar.events.get', '/calendar/v3/calendars/en.usa%23holiday%40group.v.calendar.google.com/events/1'],
    ['calendar.events.insert', '/calendar/v3/calendars/team@example.com/events', { summary: 'a' }],
    ['calendar.events.move', '/calendar/v3/calendars/team@example.com/events/1/move?destination=team%40example.com'],
    ['calendar.freebusy.query', '/calendar/v3/freeBusy', { items: [{ id: 'team@example.com' }] }],
    ['calendar.calendarList.get', '/calendar/v3/users/me/calendarList/team@example.com'],
    ['calendar.calendarList.insert', '/calendar/v3/users/me/calendarList', { id: 'team@example.com' }],
  ])('%s %s passes', (methodId, target, body) => {
    expect(judge(methodId, target, body)).toBeUndefined();
  });

  it.each<[string, string, unknown?, string?]>([
    ['drive.files.get', '/drive/v3/files/doc2'],
    ['drive.files.get', '/drive/v3/files/DOC1'],
    ['drive.files.get', '/drive/v3/files/doc1%2F'],
    ['drive.files.get', '/drive/v3/files/doc%25311'],
    ['drive.files.get', '/drive/v3/files/root'],
    ['drive.files.get', '/drive/v3/Files/doc1'],
    ['drive.files.get', '/drive/v3/%66iles/doc1'],
    ['drive.files.emptyTrash', '/drive/v3/files/trash'],
    ['drive.files.generateIds', '/drive/v3/files/generateIds'],
    ['drive.about.get', '/drive/v3/about?fields=*'],
    ['drive.changes.list', '/drive/v3/changes?pageToken=1'],
    ['drive.drives.get', '/drive/v3/drives/doc1'],
    ['driveactivity.activity.query', '/v2/activity:query', { itemName: 'items/doc1' }],
    ['drive.files.update', '/drive/v3/files/doc1?addParents=folder2', {}],
    ['drive.files.update', '/drive/v3/files/doc1?ADDPARENTS=folder2', {}],
    ['drive.files.update', '/drive/v3/files/doc1?addParents=folder1,folder2', {}],
    ['drive.files.update', '/drive/v3/files/doc1?removeParents=folder2', {}],
    ['drive.files.update', '/drive/v3/files/doc1', { parents: ['folder2'] }],
    ['drive.files.create', '/drive/v3/files', { name: 'a' }],
    ['drive.files.create', '/drive/v3/files', { parents: [] }],
    ['drive.files.create', '/drive/v3/files', { parents: ['folder1', 'folder2'] }],
    ['drive.files.create', '/drive/v3/files', { Parents: ['folder2'], parents: ['folder1'] }],
    ['drive.files.create', '/drive/v3/files', { Parents: ['folder1'] }],
    ['drive.files.create', '/drive/v3/files', { parents: [1] }],
    ['drive.files.create', '/upload/drive/v3/files?uploadType=media'],
    ['drive.files.create', '/upload/drive/v3/files?uploadType=resumable', { parents: ['folder1'] }],
    ['drive.files.update', '/upload/drive/v3/files/doc1?upload_id=x'],
    ['drive.files.update', '/upload/drive/v3/files/doc1?upload%5Fid=x'],
    ['drive.files.copy', '/drive/v3/files/doc1/copy', {}],
    ['drive.files.copy', '/drive/v3/files/doc2/copy', { parents: ['folder1'] }],
    ['drive.files.list', '/drive/v3/files'],
    ['drive.files.list', "/drive/v3/files?q='folder2' in parents"],
    ['drive.files.list', "/drive/v3/files?q='folder1' in parents or trashed = true"],
    ['drive.files.list', "/drive/v3/files?q='folder1' in parents and name contains 'a' or trashed = false"],
    ['drive.files.list', "/drive/v3/files?q=not 'folder1' in parents"],
    ['drive.files.list', "/drive/v3/files?q='folder1' in parents&q=trashed = false"],
    ['drive.files.list', "/drive/v3/files?q='folder1' in parents", undefined, "q='folder2' in parents"],
    ['calendar.events.list', '/calendar/v3/calendars/primary/events'],
    ['calendar.events.list', '/calendar/v3/calendars/Team@example.com/events'],
    ['calendar.events.list', '/calendar/v3/calendars/team%2540example.com/events'],
    ['calendar.events.move', '/calendar/v3/calendars/team@example.com/events/1/move?destination=other@example.com'],
    ['calendar.events.move', '/calendar/v3/calendars/team@example.com/events/1/move'],
    ['calendar.events.move', '/calendar/v3/calendars/other@example.com/events/1/move?destination=team@example.com'],
    ['calendar.freebusy.query', '/calendar/v3/freeBusy', { items: [] }],
    ['calendar.freebusy.query', '/calendar/v3/freeBusy', {}],
    [
      'calendar.freebusy.query',
      '/calendar/v3/freeBusy',
      { items: [{ id: 'team@example.com' }, { id: 'b@example.com' }] },
    ],
    ['calendar.freebusy.query', '/calendar/v3/freeBusy', { items: [{ id: 'team@example.com', ID: 'b@example.com' }] }],
    ['calendar.calendarList.list', '/calendar/v3/users/me/calendarList'],
    ['calendar.calendarList.insert', '/calendar/v3/users/me/calendarList', { id: 'b@example.com' }],
    ['calendar.calendars.insert', '/calendar/v3/calendars', { summary: 'a' }],
    ['calendar.settings.list', '/calendar/v3/users/me/settings'],
    ['calendar.colors.get', '/calendar/v3/colors'],
    // Spellings and parameters with which another reader may find another resource.
    ['drive.files.update', '/drive/v3/files/doc1?x=1;addParents=folder2', {}],
    ['drive.files.list', "/drive/v3/files?x=1;q=trashed=false&q='folder1'+in+parents"],
    ['drive.files.update', '/drive/v3/files/doc1?add_parents=folder2', {}],
    ['drive.files.get', '/drive/v3/files/doc1?fileId=doc2&alt=media'],
    ['drive.files.get', '/drive/v3/files/doc1?file_id=doc2'],
    ['drive.files.copy', '/drive/v3/files/doc1/copy?parents=folder2', { parents: ['folder1'] }],
    ['calendar.events.list', '/calendar/v3/calendars/team@example.com/events?calendarId=b@example.com'],
    ['drive.files.create', '/drive/v3/files', { parents: ['folder1'], shortcutDetails: { targetId: 'doc2' } }],
    ['drive.files.update', '/drive/v3/files/doc1', { shortcutDetails: { targetId: 'doc2' } }],
    ['drive.files.create', '/upload/drive/v3/files', { parents: ['folder1'] }],
    ['drive.files.create', '/upload/drive/v3/files?uploadType=multipart', { parents: ['folder1'] }],
    ['drive.files.create', '/upload/drive/v3/files?uploadType=multipart&upload_protocol=raw', { parents: ['folder1'] }],
  ])('%s %s %j is outside', (methodId, target, body, form) => {
    expect(judge(methodId, target, body, form)).toBeDefined();
  });

  it.each([
    ['compressed', [['content-encoding', 'gzip']]],
    ['of another type', [['content-type', 'text/plain']]],
  ] as const)(
    'a request of a key that is limited to resources is outside with a body that is %s, which could name any folder',
    (_, headers) => {
      const body = json({ parents: ['folder1'] });
      const request = { target: '/drive/v3/files', headers, body };
      expect(outsideResources('drive.files.create', request, ALLOWED)).toBe('unnamed');
      expect(outsideResources('drive.files.update', { ...request, target: '/drive/v3/files/doc1' }, ALLOWED)).toBe(
        'unnamed',
      );
    },
  );

  it('a request of a key that is limited to resources is outside as a stand-in of a tool’s call, whose arguments only the server reads, and as an upload by headers', () => {
    const body = json({ parents: ['folder1'] });
    const target = '/drive/v3/files';
    expect(outsideResources('drive.files.create', { target, body, isStandIn: true }, ALLOWED)).toBe('unnamed');
    const headers = [['X-Goog-Upload-Protocol', 'raw']] as const;
    expect(outsideResources('drive.files.create', { target, body, headers }, ALLOWED)).toBe('session');
  });

  it('a request of a key that is limited to resources may make a shortcut to an allowed file', () => {
    const body = { parents: ['folder1'], shortcutDetails: { targetId: 'doc1' } };
    expect(judge('drive.files.create', '/drive/v3/files', body)).toBeUndefined();
  });

  it('reads the folder of an upload in two parts', () => {
    const upload = (folder: string) => ({
      target: '/upload/drive/v3/files?uploadType=multipart',
      headers: [['content-type', 'multipart/related; boundary=b']] as const,
      body: new TextEncoder().encode(
        `--b\r\nContent-Type: application/json\r\n\r\n{"parents":["${folder}"]}\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n`,
      ),
    });
    expect(outsideResources('drive.files.create', upload('folder1'), ALLOWED)).toBeUndefined();
    expect(outsideResources('drive.files.create', upload('folder2'), ALLOWED)).toBe('other');
  });
});

describe('a name of a resource', () => {
  it.each(['calendar:primary', 'calendar:team@example.com', 'calendar:c_1@group.calendar.google.com', 'file:1AbC_-9'])(
    '%s is one',
    (name) => expect(name).toMatch(RESOURCE_NAME),
  );
  it.each([
    'team@example.com',
    'calendar:watch',
    'calendar:a/b@c',
    'calendar:%40@c',
    'file:',
    'file:a/b',
    'folder:1',
    'file:a%20',
  ])('%s is none', (name) => expect(name).not.toMatch(RESOURCE_NAME));
});
