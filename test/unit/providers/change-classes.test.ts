import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHANGE_CLASSES,
  type ChangeClass,
  changeRows,
  classesOf,
} from '../../../lambdas/gateway/providers/change-classes.rules.ts';
import { CHANGES } from '../../../lambdas/gateway/providers/changes.ts';
import { googleCalendar, googleDrive } from '../support/google.ts';

const METHODS = [...(googleDrive.methods ?? []), ...(googleCalendar.methods ?? [])];
const MEANINGS = [...(googleDrive.methodMeanings ?? []), ...(googleCalendar.methodMeanings ?? [])];
const JSON_HEADERS = [['Content-Type', 'application/json; charset=UTF-8']] as const;

/** The classes of a call other than `write`. */
function classes(
  method: string,
  target: string,
  body?: string | Uint8Array,
  headers = JSON_HEADERS as readonly (readonly [string, string])[],
) {
  const found = classesOf(CHANGES, method, {
    target,
    headers,
    body: typeof body === 'string' ? Buffer.from(body) : body,
  });
  return found.filter((name) => name !== 'write').join(' ');
}

const FILE = '/drive/v3/files/1';
const EVENT = '/calendar/v3/calendars/primary/events/e1';

describe('what calls change', () => {
  it('AP-10: 53 of the 102 methods change data, and no method that only reads is among them', () => {
    expect(CHANGES.size).toBe(53);
    const known = new Set(MEANINGS.map(({ id }) => id));
    expect([...CHANGES.keys()].filter((id) => !known.has(id))).toEqual([]);
    const verbs = new Map(METHODS.map(([id, verb]) => [id, verb]));
    expect([...CHANGES.keys()].filter((id) => verbs.get(id) === 'GET')).toEqual([]);
    const others = METHODS.filter(([id, verb]) => verb !== 'GET' && !CHANGES.has(id)).map(([id]) => id);
    expect([...new Set(others)].toSorted()).toEqual([
      'calendar.acl.watch',
      'calendar.calendarList.watch',
      'calendar.channels.stop',
      'calendar.events.watch',
      'calendar.freebusy.query',
      'calendar.settings.watch',
      'drive.changes.watch',
      'drive.channels.stop',
      'drive.files.download',
      'drive.files.watch',
      'driveactivity.activity.query',
    ]);
  });

  it('AP-10: every DELETE is of class delete, every PUT but of an upload of class replace, every permission of class share', () => {
    for (const [id, verb, pattern] of METHODS) {
      if (!CHANGES.has(id)) continue;
      const found = classes(id, pattern.replaceAll('{}', 'x')).split(' ');
      if (verb === 'DELETE') expect([id, ...found]).toContain('delete');
      if (verb === 'PUT' && !/upload/.test(pattern)) expect([id, ...found]).toContain('replace');
      if (/permissions|\.acl\.|transferOwnership/.test(id)) expect([id, ...found]).toContain('share');
      expect(classesOf(CHANGES, id, { target: pattern })).toContain('write');
    }
  });

  it.each<[string, string, string, string | undefined, string]>([
    ['a file moved to the trash', 'drive.files.update', FILE, '{"trashed": true}', 'delete'],
    ['a file taken out of it', 'drive.files.update', FILE, '{"trashed": false}', ''],
    ['a file renamed', 'drive.files.update', FILE, '{"name": "trashed"}', ''],
    ['a value that may count as true', 'drive.files.update', FILE, '{"trashed": "true"}', 'delete'],
    [
      'a member that stands there twice',
      'drive.files.update',
      FILE,
      '{"trashed": true, "trashed": false}',
      'delete share',
    ],
    [
      'one of them with escapes',
      'drive.files.update',
      FILE,
      '{"tr\\u0061shed": true, "trashed": false}',
      'delete share',
    ],
    ['a member in other letters', 'drive.files.update', FILE, '{"Trashed": true}', 'delete'],
    ['no JSON', 'drive.files.update', FILE, "{'trashed': false}", 'delete share'],
    ['a list', 'drive.files.update', FILE, '[{"trashed": false}]', 'delete share'],
    ['new content', 'drive.files.update', `/upload${FILE}?uploadType=media`, '{"a": 1}', 'replace'],
    ['new content by another path', 'drive.files.update', `/resumable/upload${FILE}`, '{"a": 1}', 'replace'],
    ['an event cancelled', 'calendar.events.patch', EVENT, '{"status": "cancelled"}', 'delete'],
    ['an event confirmed', 'calendar.events.patch', EVENT, '{"status": "confirmed"}', ''],
    ['guests', 'calendar.events.patch', EVENT, '{"attendees": []}', 'invite'],
    ['mail to guests', 'calendar.events.patch', `${EVENT}?sendUpdates=all`, '{"summary": "a"}', 'invite'],
    ['mail to guests in other letters', 'calendar.events.patch', `${EVENT}?send%55pdates=externalOnly`, '{}', 'invite'],
    ['no mail', 'calendar.events.patch', `${EVENT}?sendUpdates=none`, '{"summary": "a"}', ''],
    ['mail by the older name', 'calendar.events.delete', `${EVENT}?sendNotifications=true`, undefined, 'delete invite'],
    [
      'an address in a text',
      'calendar.events.quickAdd',
      '/calendar/v3/calendars/primary/events/quickAdd?text=a%40b',
      undefined,
      'invite',
    ],
    ['a revision published', 'drive.revisions.update', `${FILE}/revisions/1`, '{"published": true}', 'share'],
    ['a revision kept', 'drive.revisions.update', `${FILE}/revisions/1`, '{"keepForever": true}', ''],
  ])('AP-10: %s', (_, method, target, body, expected) => {
    expect(classes(method, target, body)).toBe(expected);
  });

  it.each<[string, string, string, string | undefined]>([
    ['access of a folder taken over', 'drive.files.update', FILE, '{"inheritedPermissionsDisabled": false}'],
    [
      'restrictions of a drive',
      'drive.drives.update',
      '/drive/v3/drives/1',
      '{"restrictions": {"domainUsersOnly": false}}',
    ],
    ['an older drive', 'drive.teamdrives.update', '/drive/v3/teamdrives/1', '{"restrictions": {}}'],
    ['editors who share', 'drive.files.update', FILE, '{"writersCanShare": true}'],
    ['readers who copy', 'drive.files.update', FILE, '{"copyRequiresWriterPermission": false}'],
    ['a move', 'drive.files.update', `${FILE}?addParents=f2`, '{}'],
    ['a copy', 'drive.files.copy', `${FILE}/copy`, '{}'],
    ['an event in another calendar', 'calendar.events.move', `${EVENT}/move?destination=c2`, undefined],
    ['guests who add themselves', 'calendar.events.patch', EVENT, '{"anyoneCanAddSelf": true}'],
    ['a public event', 'calendar.events.insert', EVENT, '{"visibility": "public"}'],
    ['a file that everybody finds', 'drive.permissions.create', `${FILE}/permissions`, '{"allowFileDiscovery": true}'],
    [
      'a request for access',
      'drive.accessproposals.resolve',
      `${FILE}/accessproposals/1:resolve`,
      '{"action":"ACCEPT"}',
    ],
  ])('AP-35: %s is of class share', (_, method, target, body) => {
    expect(classes(method, target, body).split(' ')).toContain('share');
  });

  it.each<[string, readonly (readonly [string, string])[], Uint8Array]>([
    ['compressed', [...JSON_HEADERS, ['Content-Encoding', 'gzip']], Buffer.from('{"name":"a"}')],
    ['of another type', [['Content-Type', 'multipart/related; boundary=b']], Buffer.from('{"name":"a"}')],
    ['of two types', [...JSON_HEADERS, ['content-type', 'text/plain']], Buffer.from('{"name":"a"}')],
    ['in another charset', [['Content-Type', 'application/json; charset=utf-16']], Buffer.from('{"name":"a"}')],
    ['no UTF-8', JSON_HEADERS, Buffer.from([0x7b, 0xff, 0x7d])],
    ['over 256 KB', JSON_HEADERS, Buffer.from(`{"name":"${'a'.repeat(262_144)}"}`)],
  ])('AP-10: a body that is %s counts as every class of its method', (_, headers, body) => {
    expect(classes('drive.files.update', FILE, body, headers)).toBe('delete share');
    expect(classes('calendar.events.update', EVENT, body, headers)).toBe('delete share invite replace');
  });

  const RELATED: readonly (readonly [string, string])[] = [['Content-Type', 'multipart/related; boundary=b']];
  const related = (members: string, content = 'text') =>
    Buffer.from(
      `--b\r\nContent-Type: application/json\r\n\r\n${members}\r\n--b\r\nContent-Type: text/plain\r\n\r\n${content}\r\n--b--`,
    );
  const UPLOAD = '/upload/drive/v3/files?uploadType=multipart';

  it.each<[string, string, Uint8Array, string]>([
    ['members that open nothing', UPLOAD, related('{"name":"a"}'), ''],
    ['large content', UPLOAD, related('{"name":"a"}', 'a'.repeat(300_000)), ''],
    ['a member that opens it', UPLOAD, related('{"name":"a","writersCanShare":true}'), 'share'],
    ['a boundary in its content', UPLOAD, related('{"name":"a"}', '--b'), 'share'],
    ['content alone', '/upload/drive/v3/files?uploadType=media', Buffer.from('{"writersCanShare":true}'), ''],
    [
      'two kinds of upload',
      '/upload/drive/v3/files?uploadType=media&uploadType=multipart',
      related('{}', '--b'),
      'share',
    ],
  ])('AP-35: an upload with %s is judged by the members of its file', (_, target, body, expected) => {
    expect(classes('drive.files.create', target, body, RELATED)).toBe(expected);
  });

  it('AP-10: whatever a body says that JSON may say, moving to the trash is seen', () => {
    const others = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(others, others, fc.nat(4), (before, after, indent) => {
        const members = {
          ...before,
          trashed: true,
          ...Object.fromEntries(Object.entries(after).filter(([name]) => name !== 'trashed')),
        };
        expect(classes('drive.files.update', FILE, JSON.stringify(members, null, indent))).toContain('delete');
      }),
    );
  });

  it('refuses rows that name no class or no condition', () => {
    expect(() => changeRows('drive', ['files.create moon'])).toThrow('moon names no class of changes');
    expect(() => changeRows('drive', ['files.create delete?moon'])).toThrow('delete?moon names no condition');
    const known: readonly ChangeClass[] = CHANGE_CLASSES;
    expect(known).toHaveLength(5);
  });
});
