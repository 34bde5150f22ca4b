import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../../dev/tools/build.ts';
import { CHANGES } from '../../../../lambdas/gateway/providers/changes.ts';
import { DESCRIBED_METHODS } from '../../../../lambdas/gateway/providers/described.ts';
import { callOf, refusedFor } from './scenes.ts';

const JSON_HEADERS = [['content-type', 'application/json']] as const;

interface Documented {
  readonly methods: readonly string[];
  readonly schemas: Readonly<Record<string, string>>;
}

function documented(api: 'drive' | 'calendar'): Documented {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(PROJECT_ROOT, 'packages', 'simulator', 'data', name), 'utf8'))[api];
  return { methods: read('methods.json').methods, schemas: read('schemas.json').schemas };
}

/** The schema that the body of a writing method has at Google. */
const BODIES: Readonly<Record<string, string>> = {
  'drive.accessproposals.resolve': 'ResolveAccessProposalRequest',
  'drive.approvals.approve': 'ApproveApprovalRequest',
  'drive.approvals.cancel': 'CancelApprovalRequest',
  'drive.approvals.comment': 'CommentApprovalRequest',
  'drive.approvals.decline': 'DeclineApprovalRequest',
  'drive.approvals.reassign': 'ReassignApprovalRequest',
  'drive.approvals.start': 'StartApprovalRequest',
  'drive.comments.create': 'Comment',
  'drive.comments.update': 'Comment',
  'drive.drives.create': 'Drive',
  'drive.drives.update': 'Drive',
  'drive.files.copy': 'File',
  'drive.files.create': 'File',
  'drive.files.modifyLabels': 'ModifyLabelsRequest',
  'drive.files.update': 'File',
  'drive.permissions.create': 'Permission',
  'drive.permissions.update': 'Permission',
  'drive.replies.create': 'Reply',
  'drive.replies.update': 'Reply',
  'drive.revisions.update': 'Revision',
  'drive.teamdrives.create': 'TeamDrive',
  'drive.teamdrives.update': 'TeamDrive',
  'calendar.acl.insert': 'AclRule',
  'calendar.acl.patch': 'AclRule',
  'calendar.acl.update': 'AclRule',
  'calendar.calendarList.insert': 'CalendarListEntry',
  'calendar.calendarList.patch': 'CalendarListEntry',
  'calendar.calendarList.update': 'CalendarListEntry',
  'calendar.calendars.insert': 'Calendar',
  'calendar.calendars.patch': 'Calendar',
  'calendar.calendars.update': 'Calendar',
  'calendar.events.import': 'Event',
  'calendar.events.insert': 'Event',
  'calendar.events.patch': 'Event',
  'calendar.events.update': 'Event',
};

/** The members of a schema, by the compact form of the simulator's file. */
function membersOf(api: 'drive' | 'calendar', schema: string): readonly (readonly [string, string])[] {
  const row = documented(api).schemas[schema] ?? '';
  return [...row.matchAll(/(\w+):(\([^)]*\)|\S+)/g)].map(([, name = '', type = '']) => [name, type] as const);
}

describe('what a person can be shown of a call', () => {
  it('AP-30: every method that changes data has a table, and no other method has one', () => {
    expect([...DESCRIBED_METHODS.keys()].toSorted()).toEqual([...CHANGES.keys()].toSorted());
    expect(DESCRIBED_METHODS.size).toBe(53);
  });

  it('AP-30: every query parameter that Google documents for a writing method is in its table', () => {
    const missing: string[] = [];
    for (const api of ['drive', 'calendar'] as const) {
      for (const row of documented(api).methods) {
        const [id = '', , , , , ...parameters] = row.split(' ');
        const method = DESCRIBED_METHODS.get(id);
        if (method === undefined) continue;
        for (const text of parameters) {
          const name = text.replace(/[:(*!{].*$/, '');
          if (method.query === undefined || !Object.hasOwn(method.query, name)) missing.push(`${id} ${name}`);
        }
      }
    }
    expect(missing).toEqual([]);
  });

  it('AP-30: every member of every body that Google documents is in the table of its method or refused by its name', () => {
    const refused: Record<string, string[]> = {};
    for (const [id, schema] of Object.entries(BODIES)) {
      const api = id.startsWith('drive.') ? 'drive' : 'calendar';
      for (const [name] of membersOf(api, schema)) {
        const known = DESCRIBED_METHODS.get(id)?.body ?? {};
        if (Object.hasOwn(known, name)) continue;
        expect([id, refusedFor(id, callOf(id, '', { [name]: 'x' }))]).toEqual([id, name]);
        refused[id] = [...(refused[id] ?? []), name];
      }
      // Nothing stands in a table that Google does not know.
      const documentedNames = membersOf(api, schema).map(([name]) => name);
      const unknown = Object.keys(DESCRIBED_METHODS.get(id)?.body ?? {}).filter(
        (name) => !documentedNames.includes(name),
      );
      expect([id, unknown]).toEqual([id, []]);
    }
    expect(Object.keys(refused).length).toBeGreaterThan(20);
  });

  it('AP-30: a member, parameter or header outside the table is named by the refusal', () => {
    expect(refusedFor('drive.files.update', callOf('drive.files.update', '', { trashed: true }))).toBeUndefined();
    expect(refusedFor('drive.files.update', callOf('drive.files.update', '', { Trashed: true }))).toBe('Trashed');
    expect(refusedFor('drive.files.update', callOf('drive.files.update', 'moon=1', {}))).toBe('moon');
    expect(refusedFor('drive.files.update', callOf('drive.files.update', '', { trashed: 'true' }))).toBe('trashed');
    expect(
      refusedFor('drive.files.update', callOf('drive.files.update', '', { contentHints: { thumbnail: {} } })),
    ).toBe('contentHints.thumbnail');
    const gzipped = {
      ...callOf('drive.files.update', '', {}),
      headers: [...JSON_HEADERS, ['content-encoding', 'gzip'] as const],
    };
    expect(refusedFor('drive.files.update', gzipped)).toBe('content-encoding');
    const elsewhere = { ...callOf('drive.files.delete'), target: '/drive/v3/files/a%2Fb' };
    expect(refusedFor('drive.files.delete', elsewhere)).toBe('path');
    expect(
      refusedFor('calendar.acl.insert', callOf('calendar.acl.insert', '', '{"__proto__": {"role": "owner"}}')),
    ).toBe('__proto__');
  });

  it.each<[string, string, string, unknown, string | undefined]>([
    [
      'everyone with an address',
      'calendar.acl.insert',
      '',
      { role: 'reader', scope: { type: 'default', value: 'bob@example.com' } },
      'scope.value',
    ],
    ['everyone', 'calendar.acl.insert', '', { role: 'reader', scope: { type: 'default' } }, undefined],
    [
      'a person without an address',
      'calendar.acl.insert',
      '',
      { role: 'reader', scope: { type: 'user' } },
      'scope.value',
    ],
    [
      'a person by a domain',
      'calendar.acl.insert',
      '',
      { role: 'reader', scope: { type: 'user', value: 'example.com' } },
      'scope.value',
    ],
    [
      'a rule of another',
      'calendar.acl.patch',
      '',
      { role: 'owner', scope: { type: 'user', value: 'eve@example.com' } },
      'scope',
    ],
    [
      'a domain with an address',
      'drive.permissions.create',
      '',
      { type: 'domain', domain: 'example.com', role: 'writer', emailAddress: 'bob@example.com' },
      'emailAddress',
    ],
    [
      'anyone with an address',
      'drive.permissions.create',
      '',
      { type: 'anyone', role: 'reader', emailAddress: 'bob@example.com' },
      'emailAddress',
    ],
    ['no type', 'drive.permissions.create', '', { role: 'reader', emailAddress: 'bob@example.com' }, 'type'],
    [
      'an owner without a transfer',
      'drive.permissions.create',
      '',
      { type: 'user', role: 'owner', emailAddress: 'bob@example.com' },
      'transferOwnership',
    ],
    [
      'a transfer without an owner',
      'drive.permissions.create',
      'transferOwnership=true',
      { type: 'user', role: 'writer', emailAddress: 'bob@example.com' },
      'role',
    ],
    [
      'a text for a mail that is not sent',
      'drive.permissions.create',
      'sendNotificationEmail=false&emailMessage=a',
      { type: 'user', role: 'reader', emailAddress: 'bob@example.com' },
      'emailMessage',
    ],
    ['the trash and a folder', 'drive.files.update', 'addParents=f2', { trashed: false }, 'addParents'],
    ['two folders', 'drive.files.update', 'addParents=f2,f3', {}, 'addParents'],
    ['a refusal with a role', 'drive.accessproposals.resolve', '', { action: 'DENY', role: ['writer'] }, 'role'],
    ['access without a role', 'drive.accessproposals.resolve', '', { action: 'ACCEPT' }, 'role'],
    [
      'two ways of mailing',
      'calendar.events.patch',
      'sendUpdates=none&sendNotifications=true',
      {},
      'sendNotifications',
    ],
    ['a parameter twice', 'calendar.events.patch', 'sendUpdates=none&sendUpdates=all', {}, 'sendUpdates'],
    ['a member twice', 'calendar.events.patch', '', '{"summary": "a", "summary": "b"}', 'summary'],
    ['a member twice by an escape', 'calendar.events.patch', '', '{"summary": "a", "s\\u0075mmary": "b"}', 'summary'],
    [
      'a member twice below',
      'calendar.acl.insert',
      '',
      '{"role":"reader","scope":{"type":"default","type":"user"}}',
      'type',
    ],
    [
      'a guest twice',
      'calendar.events.patch',
      '',
      { attendees: [{ email: 'a@example.com' }, { email: 'A@example.com' }] },
      'attendees',
    ],
    [
      'a day and a time',
      'calendar.events.patch',
      '',
      { start: { date: '2026-03-01', dateTime: '2026-03-01T10:00:00Z' } },
      'start',
    ],
    ['a time without a zone', 'calendar.events.patch', '', { start: { dateTime: '2026-03-01T10:00:00' } }, 'start'],
    ['a day that is none', 'calendar.events.patch', '', { start: { date: '2026-02-30' } }, 'start'],
    ['another event', 'calendar.events.update', '', { id: 'e2' }, 'id'],
    ['half a character', 'drive.files.update', '', '{"name": "\\ud800"}', 'body'],
  ])('AP-31: %s', (_, method, query, body, member) => {
    expect(refusedFor(method, callOf(method, query, body))).toBe(member);
  });
});

/** An upload in one request. */
function related(type: string, lines: readonly string[], eol = '\r\n') {
  return {
    method: 'PATCH',
    effectiveMethod: 'PATCH',
    target: '/upload/drive/v3/files/f1?uploadType=multipart',
    headers: [['content-type', type]] as const,
    body: Buffer.from(lines.join(eol)),
  };
}

const PARTS = [
  '--b',
  'Content-Type: application/json',
  '',
  '{"name":"a"}',
  '--b',
  'Content-Type: text/plain',
  '',
  'hello',
  '--b--',
];

describe('what a person can be shown of an upload', () => {
  it.each<[string, ReturnType<typeof related>, string | undefined]>([
    ['two parts', related('multipart/related; boundary=b', PARTS), undefined],
    ['lines of Google’s Python client', related('multipart/related; boundary="b"', PARTS, '\n'), undefined],
    ['two boundaries', related('multipart/related; boundary=b; boundary=c', PARTS), 'content-type'],
    [
      'a boundary in another parameter',
      related('multipart/related; type="boundary=c"; boundary=b', PARTS),
      'content-type',
    ],
    ['another kind of parts', related('multipart/mixed; boundary=b', PARTS), 'content-type'],
    ['text before the parts', related('multipart/related; boundary=b', ['x', ...PARTS]), 'body'],
    ['text after the parts', related('multipart/related; boundary=b', [...PARTS, 'x']), 'body'],
    ['three parts', related('multipart/related; boundary=b', [...PARTS.slice(0, 4), ...PARTS]), 'body'],
    [
      'the trash in the members',
      related('multipart/related; boundary=b', PARTS.with(3, '{"trashed":true}')),
      'uploadType',
    ],
    ['a member outside the table', related('multipart/related; boundary=b', PARTS.with(3, '{"moon":1}')), 'moon'],
    ['a header of a part', related('multipart/related; boundary=b', PARTS.with(5, 'X-Other: 1')), 'x-other'],
    [
      'a folded header',
      related('multipart/related; boundary=b', PARTS.with(5, 'Content-Type: text/plain;\r\n charset=x')),
      'body',
    ],
    [
      'members in base64',
      related(
        'multipart/related; boundary=b',
        PARTS.with(1, 'Content-Type: application/json\r\nContent-Transfer-Encoding: base64'),
      ),
      'content-transfer-encoding',
    ],
  ])('AP-31: %s', (_, plan, member) => {
    expect(refusedFor('drive.files.update', plan)).toBe(member);
  });
});
