import fc from 'fast-check';
import type { Json, UndoWorld, Who } from './undo-world.ts';

/** One write of a random history: what is done, to which of the objects there are, and a number to vary it by. */
export interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly object: number;
  readonly value: number;
}

const KINDS = [
  ...['rename', 'describe', 'properties', 'move', 'trash', 'untrash', 'content', 'create', 'copy'],
  ...['share', 'reshare', 'unshare', 'insert', 'patch', 'update', 'delete', 'instance', 'acl'],
] as const;

/** What a person changes, of which each has to show as a conflict. */
export const PERSONS = ['rename', 'content', 'patch'] as const;

export const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  object: fc.nat(1000),
  value: fc.nat(1000),
});
export const history = fc.array(step, { minLength: 8, maxLength: 24 });

const DRIVE = '/drive/v3/files';
const UPLOAD = '/upload/drive/v3/files';
const EVENTS = '/calendar/v3/calendars/primary/events';
const SECOND = 'second.user@example.com';
const THIRD = 'editor@workspace.example';

/** Objects of a history, each its own, made before it begins. */
export interface Stage {
  readonly files: string[];
  readonly folders: string[];
  readonly events: string[];
  readonly series: string;
  readonly calendar: string;
}

export async function setStage({ ask }: UndoWorld): Promise<Stage> {
  const folder = async (name: string, parents: string[] = []) =>
    (
      await ask('person', 'POST', `${DRIVE}?fields=id`, {
        name,
        mimeType: 'application/vnd.google-apps.folder',
        parents,
      })
    ).id;
  const root = await folder('stage');
  const folders = [await folder('one', [root]), await folder('two', [root])];
  const files: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const made = await ask(
      'person',
      'POST',
      `${UPLOAD}?uploadType=media&fields=id`,
      `content of ${name}`,
      'text/plain',
    );
    await ask('person', 'PATCH', `${DRIVE}/${made.id}?addParents=${root}&removeParents=root`, {
      name,
      properties: { p: '0' },
    });
    files.push(made.id);
  }
  const event = async (body: Json) =>
    (await ask('person', 'POST', EVENTS, { ...body, summary: 'stage', description: 'before' })).id;
  const time = {
    start: { dateTime: '2027-03-01T10:00:00Z', timeZone: 'Europe/Berlin' },
    end: { dateTime: '2027-03-01T11:00:00Z', timeZone: 'Europe/Berlin' },
  };
  const events = [
    await event(time),
    await event(time),
    await event({ start: { date: '2027-05-01' }, end: { date: '2027-05-02' } }),
  ];
  const series = await event({ ...time, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] });
  const calendar = (await ask('person', 'POST', '/calendar/v3/calendars', { summary: 'stage' })).id;
  return { files, folders, events, series, calendar };
}

/** Does a step; what Google refuses, as the object is not so, is no write. @returns the object that was written */
export async function play(world: UndoWorld, stage: Stage, who: Who, { kind, object, value }: Step): Promise<string> {
  const file = stage.files[object % stage.files.length] ?? '';
  const event = stage.events[object % stage.events.length] ?? '';
  const at = `${DRIVE}/${file}`;
  const done = async (what: string, method: string, target: string, body?: Json, type?: string) => {
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const headers = bytes === undefined ? [] : [['content-type', type ?? 'application/json'] as const];
    const answer = await world.send(who, { method, target, headers, body: bytes });
    if (answer.status >= 500) throw new Error(`${method} ${target}: ${answer.text}`);
    return { what: answer.status < 300 ? what : '', body: answer.body };
  };
  switch (kind) {
    case 'rename':
      return (await done(file, 'PATCH', at, { name: `${who} ${value}` })).what;
    case 'describe':
      return (
        await done(file, 'PATCH', at, {
          description: value % 3 === 0 ? null : `text ${value}`,
          starred: value % 2 === 0,
        })
      ).what;
    case 'properties':
      return (
        await done(file, 'PATCH', at, { properties: { p: String(value), [`q${value % 3}`]: value % 2 ? 'x' : null } })
      ).what;
    case 'move': {
      const to = stage.folders[value % stage.folders.length] ?? '';
      const { parents = [] } = await world.ask('person', 'GET', `${at}?fields=parents`);
      if (parents.includes(to)) return '';
      return (await done(file, 'PATCH', `${at}?addParents=${to}&removeParents=${parents.join()}`, {})).what;
    }
    case 'trash':
    case 'untrash':
      return (await done(file, 'PATCH', at, { trashed: kind === 'trash' })).what;
    case 'content':
      return (
        await done(
          file,
          'PATCH',
          `${UPLOAD}/${file}?uploadType=media`,
          `${who} ${value}`,
          value % 2 ? 'text/plain' : 'text/csv',
        )
      ).what;
    case 'create':
    case 'copy': {
      const target = kind === 'create' ? DRIVE : `${at}/copy`;
      const { what, body } = await done('made', 'POST', target, { name: `made ${value}`, parents: [stage.folders[0]] });
      if (what !== '' && who === 'agent') stage.files.push(body.id);
      return what;
    }
    case 'share':
      return (
        await done(file, 'POST', `${at}/permissions?sendNotificationEmail=false`, {
          type: 'user',
          role: value % 2 ? 'reader' : 'writer',
          emailAddress: value % 3 ? SECOND : THIRD,
        })
      ).what;
    case 'reshare':
    case 'unshare': {
      const { permissions = [] } = await world.ask('person', 'GET', `${at}?fields=permissions(id,role)`);
      const [given] = permissions.filter(({ role }: Json) => role !== 'owner');
      if (given === undefined) return '';
      const target = `${at}/permissions/${given.id}`;
      return kind === 'unshare'
        ? (await done(file, 'DELETE', target)).what
        : (await done(file, 'PATCH', target, { role: ['reader', 'commenter', 'writer'][value % 3] })).what;
    }
    case 'insert': {
      const { what, body } = await done('made', 'POST', EVENTS, {
        summary: `made ${value}`,
        start: { date: '2027-06-01' },
        end: { date: '2027-06-02' },
      });
      if (what !== '' && who === 'agent') stage.events.push(body.id);
      return what;
    }
    case 'patch':
      return (
        await done(event, 'PATCH', `${EVENTS}/${event}`, {
          summary: `${who} ${value}`,
          colorId: String(1 + (value % 11)),
          attendees: value % 2 ? [{ email: SECOND }] : null,
        })
      ).what;
    case 'update':
      return (
        await done(event, 'PUT', `${EVENTS}/${event}`, {
          summary: `put ${value}`,
          start: { date: '2027-07-01' },
          end: { date: '2027-07-03' },
        })
      ).what;
    case 'delete': {
      const target = value % 4 === 0 ? stage.series : event;
      return (await done(target, 'DELETE', `${EVENTS}/${target}`)).what;
    }
    case 'instance': {
      const list = await world.send('person', {
        method: 'GET',
        target: `${EVENTS}/${stage.series}/instances`,
        headers: [],
      });
      const items = list.body?.items ?? [];
      const chosen = items[value % Math.max(1, items.length)];
      if (chosen === undefined) return '';
      return value % 2 === 0
        ? (await done(chosen.id, 'DELETE', `${EVENTS}/${chosen.id}`)).what
        : (await done(chosen.id, 'PATCH', `${EVENTS}/${chosen.id}`, { summary: `instance ${value}` })).what;
    }
    case 'acl': {
      const acl = `/calendar/v3/calendars/${encodeURIComponent(stage.calendar)}/acl`;
      const scope = { type: 'user', value: value % 3 ? SECOND : THIRD };
      if (value % 4 === 0) return (await done('acl', 'DELETE', `${acl}/user:${scope.value}`)).what;
      return (await done('acl', 'POST', acl, { scope, role: ['reader', 'writer', 'owner'][value % 3] })).what;
    }
  }
}

const FILE =
  'id,name,description,mimeType,parents,explicitlyTrashed,starred,properties,md5Checksum,permissions(id,role,emailAddress,expirationTime)';
const sorted = (all: Json[], by: string) => all.toSorted((a, b) => (a[by] < b[by] ? -1 : 1));

/** All of the stage that its users see, by object; what was made is there only while it is not in the trash. */
export async function look({ ask }: UndoWorld, stage: Stage): Promise<Map<string, Json>> {
  const seen = new Map<string, Json>();
  for (const id of [...stage.files, ...stage.folders]) {
    const shown = await ask('person', 'GET', `${DRIVE}/${id}?fields=${FILE}`);
    const isMade = shown.name.startsWith('made') || stage.files.indexOf(id) >= 4;
    if (isMade && shown.explicitlyTrashed) continue;
    seen.set(id, { ...shown, permissions: sorted(shown.permissions ?? [], 'id') });
  }
  const { items } = await ask('person', 'GET', `${EVENTS}?maxResults=2500&showDeleted=true`);
  const mine = new Set([...stage.events, stage.series]);
  for (const { etag: _e, updated: _u, sequence: _s, ...event } of items) {
    // An event that is deleted is as none; instances are seen below, whether or not they are kept apart from their series.
    if (mine.has(event.id) && event.status !== 'cancelled') seen.set(event.id, event);
  }
  const instances = await ask('person', 'GET', `${EVENTS}/${stage.series}/instances?showDeleted=true`).catch(() => ({
    items: [],
  }));
  for (const { id, summary, status } of instances.items) seen.set(id, [summary, status]);
  const rules = await ask('person', 'GET', `/calendar/v3/calendars/${encodeURIComponent(stage.calendar)}/acl`);
  seen.set(
    'acl',
    sorted(
      rules.items.map(({ id, role }: Json) => ({ id, role })),
      'id',
    ),
  );
  return seen;
}
