import { type AboutCall, aboutCall } from '../../../../lambdas/features/approvals/about-call.rules.ts';
import type { Reading } from '../../../../lambdas/features/approvals/called-object.rules.ts';
import { isRead, readCall } from '../../../../lambdas/features/approvals/read-call.rules.ts';
import { missingPaths } from '../../../../lambdas/features/approvals/readings.rules.ts';
import { DESCRIBED_METHODS } from '../../../../lambdas/gateway/providers/described.ts';

const IDS: Readonly<Record<string, string>> = {
  calendar: 'team@example.com',
  rule: 'user:bob@example.com',
  event: 'e1',
};

/** A call of a method in its documented spelling. */
export function callOf(methodId: string, query = '', body?: unknown) {
  const method = DESCRIBED_METHODS.get(methodId);
  const [verb = '', template = ''] = method?.call.split(' ') ?? [];
  const base = methodId.startsWith('drive.') ? '/drive/v3/' : '/calendar/v3/';
  const path = base + template.replace(/\{(\w+)\}/g, (_, name: string) => IDS[name] ?? `${name}1`);
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method: verb,
    effectiveMethod: verb,
    target: query === '' ? path : `${path}?${query}`,
    headers: text === undefined ? [] : ([['content-type', 'application/json']] as const),
    body: text === undefined ? undefined : Buffer.from(text),
  };
}

export type Plan = Parameters<typeof readCall>[2];

/** The member for which a call is refused; undefined where a person can be shown all of it. */
export function refusedFor(methodId: string, plan: Plan): string | undefined {
  const read = readCall(DESCRIBED_METHODS, methodId, plan);
  return isRead(read) ? undefined : read.member;
}

/** What Google answers of the objects that `callOf` names. */
export const WORLD: readonly (readonly [path: RegExp, json: unknown])[] = [
  [
    /\/files\/[^/?]+\/permissions\?pageSize/,
    {
      permissions: [
        { type: 'user', role: 'owner', emailAddress: 'ann@example.com' },
        { type: 'anyone', role: 'reader' },
      ],
    },
  ],
  [/\/files\/[^/]+\/permissions\//, { id: 'p', type: 'user', role: 'reader', emailAddress: 'bob@example.com' }],
  [
    /\/accessproposals\//,
    {
      requesterEmailAddress: 'eve@elsewhere.net',
      recipientEmailAddress: 'eve@elsewhere.net',
      requestMessage: 'Please let me in',
      rolesAndViews: [{ role: 'writer' }],
    },
  ],
  [/\/replies\//, { id: 'r', content: 'I agree with this.', author: { displayName: 'Bob' } }],
  [/\/comments\//, { id: 'c', content: 'Is the total right?', author: { displayName: 'Bob' } }],
  [/\/revisions\//, { id: 'v', modifiedTime: '2026-02-01T09:30:00.000Z', keepForever: false, published: false }],
  [
    /\/files\/folder|\/files\/f2/,
    { id: 'f2', name: 'Press kit', mimeType: 'application/vnd.google-apps.folder', version: '3', parents: ['root1'] },
  ],
  [
    /\/files\//,
    {
      id: 'file1',
      name: 'Budget 2027.xlsx',
      mimeType: 'application/pdf',
      version: '7',
      parents: ['f2'],
      trashed: false,
      starred: false,
      description: 'Draft of the budget',
      owners: [{ displayName: 'Ann', emailAddress: 'ann@example.com' }],
    },
  ],
  [/\/drives\//, { id: 'drive1', name: 'Legal', restrictions: { domainUsersOnly: true, driveMembersOnly: true } }],
  [
    /\/acl\?/,
    {
      items: [
        { role: 'owner', scope: { type: 'user', value: 'ann@example.com' } },
        { role: 'reader', scope: { type: 'domain', value: 'example.com' } },
      ],
    },
  ],
  [/\/acl\//, { id: 'user:bob@example.com', role: 'reader', scope: { type: 'user', value: 'bob@example.com' } }],
  [/\/events\?maxResults/, { summary: 'Team calendar', timeZone: 'Europe/Berlin' }],
  [
    /\/events\//,
    {
      id: 'e1',
      etag: '"7"',
      summary: 'Board',
      location: 'Room 4',
      description: 'Agenda follows',
      start: { dateTime: '2026-03-10T09:00:00+01:00', timeZone: 'Europe/Berlin' },
      end: { dateTime: '2026-03-10T10:00:00+01:00', timeZone: 'Europe/Berlin' },
      organizer: { email: 'ann@example.com', displayName: 'Ann' },
      attendees: [
        { email: 'bob@example.com', responseStatus: 'accepted' },
        { email: 'carol@example.com', responseStatus: 'tentative', optional: true },
      ],
    },
  ],
  [
    /\/calendarList\//,
    { id: 'team@example.com', summary: 'Team calendar', colorId: '7', hidden: false, selected: true },
  ],
  [
    /\/calendars\//,
    { id: 'team@example.com', summary: 'Team calendar', timeZone: 'Europe/Berlin', description: 'All of us' },
  ],
];

/** What a call is described as, where Google answers so. @param changes readings that come before those of the world */
export function aboutOf(
  methodId: string,
  plan: Plan,
  changes: readonly (readonly [RegExp, unknown])[] = [],
  email = 'ann@example.com',
): AboutCall {
  const call = readCall(DESCRIBED_METHODS, methodId, plan);
  if (!isRead(call)) throw new Error(`${methodId} is refused for ${call.member}`);
  const readings = new Map<string, Reading | undefined>();
  for (let paths = missingPaths(call, readings); paths.length > 0; paths = missingPaths(call, readings)) {
    for (const path of paths) {
      const json = [...changes, ...WORLD].find(([pattern]) => pattern.test(path))?.[1];
      readings.set(
        path,
        json === undefined || json === null ? { status: 404, json: {} } : { status: 200, json: Object(json) },
      );
    }
  }
  return aboutCall(call, readings, { email });
}

/** A call of every writing method, of a kind that shows most. */
export const CALLS: readonly (readonly [methodId: string, query: string, body?: unknown])[] = [
  ['drive.accessproposals.resolve', '', { action: 'ACCEPT', role: ['writer'], sendNotification: true }],
  ['drive.approvals.approve', '', { message: 'Fine with me' }],
  ['drive.approvals.cancel', '', { message: 'Superseded' }],
  ['drive.approvals.comment', '', { message: 'See page 3' }],
  ['drive.approvals.decline', '', { message: 'Totals differ' }],
  [
    'drive.approvals.reassign',
    '',
    { addReviewers: [{ addedReviewerEmail: 'carol@example.com' }], message: 'Carol knows' },
  ],
  [
    'drive.approvals.start',
    '',
    {
      reviewerEmails: ['bob@example.com', 'eve@elsewhere.net'],
      dueTime: '2026-03-20T12:00:00Z',
      lockFile: true,
      message: 'Please check',
    },
  ],
  ['drive.comments.create', '', { content: 'Is the total right?' }],
  ['drive.comments.delete', ''],
  ['drive.comments.update', '', { content: 'The total is wrong.' }],
  ['drive.drives.create', 'requestId=1', { name: 'Marketing', colorRgb: '#0b57d0' }],
  ['drive.drives.delete', 'allowItemDeletion=true&useDomainAdminAccess=true'],
  ['drive.drives.hide', ''],
  ['drive.drives.unhide', ''],
  ['drive.drives.update', '', { restrictions: { domainUsersOnly: false, driveMembersOnly: false } }],
  ['drive.files.copy', '', { name: 'Budget copy', parents: ['f2'] }],
  ['drive.files.create', '', { name: 'Notes', mimeType: 'text/plain', parents: ['f2'] }],
  ['drive.files.delete', ''],
  ['drive.files.emptyTrash', ''],
  [
    'drive.files.modifyLabels',
    '',
    { labelModifications: [{ labelId: 'L1', fieldModifications: [{ fieldId: 'F1', setTextValues: ['final'] }] }] },
  ],
  ['drive.files.update', 'addParents=f2&removeParents=folder9', { name: 'Budget final' }],
  [
    'drive.permissions.create',
    'emailMessage=Have+a+look',
    { type: 'user', role: 'writer', emailAddress: 'eve@elsewhere.net', expirationTime: '2026-04-01T00:00:00Z' },
  ],
  ['drive.permissions.delete', ''],
  ['drive.permissions.update', '', { role: 'writer' }],
  ['drive.replies.create', '', { content: 'Done', action: 'resolve' }],
  ['drive.replies.delete', ''],
  ['drive.replies.update', '', { content: 'I disagree.' }],
  ['drive.revisions.delete', ''],
  ['drive.revisions.update', '', { published: true, publishedOutsideDomain: true }],
  ['drive.teamdrives.create', 'requestId=1', { name: 'Old drive' }],
  ['drive.teamdrives.delete', ''],
  ['drive.teamdrives.update', '', { name: 'Renamed', restrictions: { teamMembersOnly: false } }],
  ['calendar.acl.delete', ''],
  ['calendar.acl.insert', '', { role: 'reader', scope: { type: 'default' } }],
  ['calendar.acl.patch', '', { role: 'owner' }],
  [
    'calendar.acl.update',
    'sendNotifications=false',
    { role: 'writer', scope: { type: 'user', value: 'bob@example.com' } },
  ],
  ['calendar.calendarList.delete', ''],
  ['calendar.calendarList.insert', '', { id: 'team@example.com', colorId: '3' }],
  ['calendar.calendarList.patch', '', { summaryOverride: 'Us', hidden: true }],
  ['calendar.calendarList.update', '', { selected: false }],
  ['calendar.calendars.clear', ''],
  ['calendar.calendars.delete', ''],
  ['calendar.calendars.insert', '', { summary: 'Offsite', timeZone: 'Europe/Lisbon' }],
  ['calendar.calendars.patch', '', { timeZone: 'America/New_York' }],
  ['calendar.calendars.transferOwnership', 'newDataOwner=bob%40example.com&useAdminAccess=false'],
  ['calendar.calendars.update', '', { summary: 'Everybody' }],
  ['calendar.events.delete', 'sendUpdates=all'],
  [
    'calendar.events.import',
    '',
    { iCalUID: 'x@y', start: { date: '2026-03-01' }, end: { date: '2026-03-02' }, summary: 'Holiday' },
  ],
  [
    'calendar.events.insert',
    'sendUpdates=all',
    {
      summary: 'Review',
      start: { dateTime: '2026-03-12T15:00:00+01:00' },
      end: { dateTime: '2026-03-12T16:00:00', timeZone: 'America/New_York' },
      attendees: [{ email: 'eve@elsewhere.net' }],
      recurrence: ['RRULE:FREQ=WEEKLY'],
    },
  ],
  ['calendar.events.move', 'destination=c2%40group.calendar.google.com&sendUpdates=externalOnly'],
  [
    'calendar.events.patch',
    'sendUpdates=all',
    {
      start: { dateTime: '2026-03-11T09:00:00+01:00' },
      attendees: [{ email: 'bob@example.com', responseStatus: 'declined' }, { email: 'eve@elsewhere.net' }],
    },
  ],
  ['calendar.events.quickAdd', 'text=Lunch+with+eve%40elsewhere.net+tomorrow&sendUpdates=all'],
  [
    'calendar.events.update',
    '',
    {
      summary: 'Board',
      start: { dateTime: '2026-03-10T09:00:00+01:00' },
      end: { dateTime: '2026-03-10T10:00:00+01:00' },
    },
  ],
];
