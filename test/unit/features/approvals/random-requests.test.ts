import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../../dev/tools/build.ts';
import { inWords, plainText } from '../../../../lambdas/features/approvals/in-words.ts';
import { approvalEn } from '../../../../lambdas/features/approvals/languages/en.ts';
import { DRAWS_ALL } from '../../../support/draws.ts';
import { aboutOf, callOf, type Plan, refusedFor } from './scenes.ts';

/** Requests of one of four rows: 200,000 in all. */
const REQUESTS = DRAWS_ALL ? 50_000 : 1_250;

// What Google documents, read here once more: nothing below knows the tables that are tested.

interface Api {
  readonly methods: readonly string[];
  readonly schemas: Readonly<Record<string, string>>;
}

function documented(api: 'drive' | 'calendar'): Api {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(PROJECT_ROOT, 'packages', 'simulator', 'data', name), 'utf8'))[api];
  return { methods: read('methods.json').methods, schemas: read('schemas.json').schemas };
}

const APIS = { drive: documented('drive'), calendar: documented('calendar') };

const BODIES: Readonly<Record<string, string>> = {
  'accessproposals.resolve': 'ResolveAccessProposalRequest',
  'approvals.approve': 'ApproveApprovalRequest',
  'approvals.cancel': 'CancelApprovalRequest',
  'approvals.comment': 'CommentApprovalRequest',
  'approvals.decline': 'DeclineApprovalRequest',
  'approvals.reassign': 'ReassignApprovalRequest',
  'approvals.start': 'StartApprovalRequest',
  'files.modifyLabels': 'ModifyLabelsRequest',
};
const RESOURCES: Readonly<Record<string, string>> = {
  acl: 'AclRule',
  calendarList: 'CalendarListEntry',
  calendars: 'Calendar',
  comments: 'Comment',
  drives: 'Drive',
  events: 'Event',
  files: 'File',
  permissions: 'Permission',
  replies: 'Reply',
  revisions: 'Revision',
  teamdrives: 'TeamDrive',
};

interface Method {
  readonly id: string;
  readonly api: 'drive' | 'calendar';
  readonly verb: string;
  readonly template: string;
  /** Names and types. */
  readonly query: readonly (readonly [name: string, type: string])[];
  /** Undefined: it takes no body. */
  readonly schema: string | undefined;
}

/** Members and types of a schema, by the compact form of the simulator's file. */
function membersOf(api: Method['api'], schema: string): readonly (readonly [name: string, type: string])[] {
  const row = APIS[api].schemas[schema] ?? '';
  return [...row.matchAll(/(\w+):(\([^)]*\)|\S+)/g)].map(([, name = '', type = '']) => [name, type] as const);
}

const WRITING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const READING =
  /\.(?:channels\.stop|freebusy\.query|files\.(?:generateCseToken|download)|events\.watch|.*\.watch|.*\.list)$/;

function writingMethods(): readonly Method[] {
  return (['drive', 'calendar'] as const).flatMap((api) =>
    APIS[api].methods.flatMap((row): Method[] => {
      const [id = '', verbs = '', template = '', , , ...parameters] = row.split(' ');
      const [verb = ''] = verbs.split('+');
      if (!WRITING.has(verb) || READING.test(`.${id}`)) return [];
      const [, resource = '', name = ''] = id.split('.');
      const key = `${resource}.${name}`;
      const takesBody =
        Object.hasOwn(BODIES, key) || /^(?:create|insert|import|update|patch|copy|resolve|start)$/.test(name);
      const query = parameters
        .filter((one) => !/^[\d,]+$/.test(one))
        .map((one) => {
          const [, parameter = '', type = ''] = /^(\w+)(.*)$/.exec(one) ?? [];
          return [parameter, type.replace('!', '')] as const;
        });
      const schema = takesBody ? (BODIES[key] ?? RESOURCES[resource]) : undefined;
      return [{ id, api, verb, template, query, schema }];
    }),
  );
}

const METHODS = writingMethods();

// Random requests, each with a list of all that stands in it.

/** A part of a request as it was meant: where, under which name, and the value. */
interface Leaf {
  readonly place: 'query' | 'body';
  readonly path: string;
  readonly value: string | number | boolean | null;
  readonly type: string;
}

interface Drawn {
  readonly method: Method;
  readonly plan: Plan;
  readonly leaves: readonly Leaf[];
}

class Dice {
  #state: number;
  #words = 0;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  isOne(of: number): boolean {
    return this.below(of) === 0;
  }

  pick<T>(all: readonly T[]): T {
    const one = all[this.below(all.length)];
    if (one === undefined) throw new Error('There is nothing to pick from.');
    return one;
  }

  /** A word that stands nowhere else. */
  word(): string {
    this.#words += 1;
    return `q${this.#words.toString(36)}z${this.below(1e6).toString(36)}`;
  }
}

/** Values that some members have at Google, so that most calls are ones that it would take. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  action: ['ACCEPT', 'DENY', 'resolve', 'reopen'],
  eventType: ['default', 'focusTime', 'outOfOffice', 'workingLocation'],
  method: ['email', 'popup'],
  responseStatus: ['needsAction', 'declined', 'tentative', 'accepted'],
  role: ['owner', 'organizer', 'fileOrganizer', 'writer', 'commenter', 'reader', 'none', 'freeBusyReader'],
  sendUpdates: ['all', 'externalOnly', 'none'],
  status: ['confirmed', 'tentative', 'cancelled'],
  transparency: ['opaque', 'transparent'],
  type: ['user', 'group', 'domain', 'anyone', 'default', 'eventCreation', 'homeOffice'],
  view: ['published', 'metadata'],
  visibility: ['default', 'public', 'private', 'confidential'],
  entryPointType: ['video', 'phone'],
};
const ADDRESSED = /(?:email|Email|reviewerEmails|newDataOwner|setUserValues)$|emailAddress$/;
const IDENTIFIED =
  /(?:^|\.)(?:id|parents|targetId|labelId|fieldId|fileId|addParents|removeParents|driveId|destination)$/;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'];

/** Members that only make sense together. */
const LIKELY: Readonly<Record<string, readonly string[]>> = {
  AclRule: ['role', 'scope'],
  'AclRule.scope': ['type', 'value'],
  Permission: ['type', 'role', 'emailAddress', 'domain', 'allowFileDiscovery'],
  ResolveAccessProposalRequest: ['action', 'role'],
};

type Json =
  | string
  | number
  | boolean
  | null
  | { readonly members: readonly (readonly [string, Json])[] }
  | readonly Json[];

class Drawer {
  readonly dice: Dice;
  readonly leaves: Leaf[] = [];
  readonly #api: Method['api'];

  constructor(dice: Dice, api: Method['api']) {
    this.dice = dice;
    this.#api = api;
  }

  #leaf(place: Leaf['place'], path: string, type: string, value: Leaf['value']): Leaf['value'] {
    this.leaves.push({ place, path, value, type });
    return value;
  }

  text(path: string): string {
    const { dice } = this;
    const name = path.split('.').at(-1) ?? '';
    if (path === 'timeZone' || /(?:start|end|originalStartTime)\.timeZone$/.test(path)) return dice.pick(ZONES);
    if (path === 'scope.value')
      return dice.pick([`${dice.word()}@elsewhere.net`, `${dice.word()}@example.com`, `${dice.word()}.org`]);
    if (ADDRESSED.test(name)) return `${dice.word()}@${dice.pick(['elsewhere.net', 'example.com'])}`;
    if (name === 'domain') return `${dice.word()}.org`;
    if (IDENTIFIED.test(path)) return dice.word();
    const known = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
    if (known !== undefined && !dice.isOne(12)) return dice.pick(known);
    return dice.isOne(6) ? `${dice.word()}\u202e\u2800 ${dice.word()}` : dice.word();
  }

  time(): string {
    const { dice } = this;
    const two = (number: number) => String(number).padStart(2, '0');
    const day = `20${26 + dice.below(5)}-${two(1 + dice.below(12))}-${two(1 + dice.below(28))}`;
    return `${day}T${two(dice.below(24))}:${two(dice.below(60))}:00${dice.pick(['Z', '+02:00', '-05:00'])}`;
  }

  value(type: string, path: string, depth = 0): Json {
    const { dice } = this;
    const scalar = (kind: string, one: Leaf['value']) => this.#leaf('body', path, kind, one);
    if (dice.isOne(25)) return scalar('null', null);
    // Now and then the value is of another type.
    if (dice.isOne(40)) return scalar('wrong', dice.pick<Leaf['value']>([dice.word(), 4_711, true]));
    if (type.startsWith('[')) {
      return Array.from({ length: dice.pick([1, 1, 2, 0]) }, () => this.value(type.slice(1, -1), path, depth + 1));
    }
    if (type.startsWith('{')) {
      const name = dice.word();
      return { members: [[name, this.value(type.slice(1, -1), `${path}.${name}`, depth + 1)]] };
    }
    if (type.startsWith('(')) return scalar('word', dice.pick(type.slice(1, -1).split('|')));
    switch (type) {
      case 'boolean':
        return scalar('flag', dice.isOne(2));
      case 'integer':
      case 'int64':
      case 'number':
        return scalar('number', 1_000 + dice.below(9e5));
      case 'time':
        return scalar('time', this.time());
      case 'date':
        return scalar('date', this.time().slice(0, 10));
      case 'string':
        return scalar('text', this.text(path));
    }
    return depth > 4 ? scalar('wrong', 1) : this.object(type, path, depth + 1);
  }

  object(schema: string, path: string, depth: number): Json {
    const { dice } = this;
    const all = membersOf(this.#api, schema);
    const members: [string, Json][] = [];
    const likely = dice.isOne(4) ? undefined : LIKELY[schema];
    const wanted = Math.min(all.length, 1 + dice.below(likely === undefined ? (depth === 0 ? 4 : 3) : 6));
    const chosen = new Set<string>();
    for (let i = 0; i < wanted; i++) {
      const [name, type] = dice.pick(likely === undefined ? all : all.filter(([one]) => likely.includes(one)));
      const isTwice = chosen.has(name);
      if (isTwice && !dice.isOne(20)) continue;
      chosen.add(name);
      const spelled = dice.isOne(60) ? dice.pick([name.toUpperCase(), `${name} `, '__proto__', dice.word()]) : name;
      const at = path === '' ? spelled : `${path}.${spelled}`;
      members.push([spelled, this.value(type, at, depth)]);
    }
    return { members };
  }

  query({ query }: Method): string {
    const { dice } = this;
    const pairs: string[] = [];
    for (let i = dice.pick([0, 0, 1, 2]); i > 0 && query.length > 0; i--) {
      const [name, type] = dice.pick(query);
      const isWord = /^\{(.*)\}$/.exec(type)?.[1]?.split('|');
      const value = isWord
        ? dice.pick(isWord)
        : type === ':boolean'
          ? dice.pick(['true', 'false'])
          : type.startsWith(':integer')
            ? dice.pick(['0', '1'])
            : this.text(name);
      const spelled = dice.isOne(60) ? dice.pick([name.toUpperCase(), dice.word(), `${name}[]`]) : name;
      this.#leaf(
        'query',
        spelled,
        type === ':boolean' ? 'flag' : 'text',
        type === ':boolean' ? value === 'true' : value,
      );
      const encoded = dice.isOne(8) ? percent(value) : encodeURIComponent(value);
      pairs.push(`${dice.isOne(30) ? percent(spelled) : encodeURIComponent(spelled)}=${encoded}`);
    }
    return pairs.join(dice.isOne(80) ? ';' : '&');
  }
}

function percent(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** JSON in one of the spellings that mean the same to most readers. */
function spelled(value: Json, dice: Dice): string {
  const quoted = (text: string) => {
    const plain = JSON.stringify(text);
    if (!dice.isOne(12) || text === '') return plain;
    return `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${JSON.stringify(text.slice(1)).slice(1)}`;
  };
  const space = () => (dice.isOne(10) ? dice.pick([' ', '\n', '\t']) : '');
  if (Array.isArray(value)) return `[${value.map((one: Json) => spelled(one, dice)).join(',')}]`;
  if (typeof value === 'object' && value !== null && 'members' in value) {
    return `{${value.members.map(([name, one]) => `${space()}${quoted(name)}${space()}:${spelled(one, dice)}`).join(',')}}`;
  }
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

const IDS: Readonly<Record<string, string>> = {
  calendarId: 'team@example.com',
  ruleId: 'user:bob@example.com',
  eventId: 'e1',
};

function draw(dice: Dice): Drawn {
  const method = dice.pick(METHODS);
  const drawer = new Drawer(dice, method.api);
  const base = method.api === 'drive' ? '/drive/v3/' : '/calendar/v3/';
  const path = method.template.replace(/\{(\w+)\}/g, (_, name: string) => IDS[name] ?? `${name.replace(/Id$/, '')}1`);
  const query = drawer.query(method);
  const hasBody = method.schema !== undefined ? !dice.isOne(12) : dice.isOne(15);
  const json = hasBody ? drawer.object(method.schema ?? 'File', '', 0) : undefined;
  const text = json === undefined ? undefined : (dice.isOne(150) ? '\ufeff' : '') + spelled(json, dice);
  const oddPath = dice.isOne(80)
    ? dice.pick([`${path}/`, path.replace(/1/, '%31'), path.replace('/', '//'), `${path}/..`])
    : path;
  const target = base + oddPath + (query === '' ? '' : `?${query}`);
  const headers: (readonly [string, string])[] = text === undefined ? [] : [['content-type', 'application/json']];
  if (dice.isOne(60))
    headers.push(
      dice.pick([
        ['content-encoding', 'gzip'],
        ['x-http-method-override', 'DELETE'],
        ['if-none-match', '*'],
      ] as const),
    );
  const plan = {
    method: method.verb,
    effectiveMethod: method.verb,
    target,
    headers,
    body: text === undefined ? undefined : Buffer.from(text),
  };
  return { method, plan, leaves: drawer.leaves };
}

// The second description: what of a request a person has to read, by what Google documents of its members.

/** Members and parameters without an effect on anything that others see or that stays. */
const IDLE_QUERY = new Set([
  ...['alwaysIncludeEmail', 'colorRgbFormat', 'enforceSingleParent', 'includeLabels', 'includePermissionsForView'],
  ...['maxAttendees', 'requestId', 'supportsAllDrives', 'supportsTeamDrives'],
]);
/** Members that Google fills in, and ignores or requires to be unchanged where they are sent. */
const GOOGLES: Readonly<Record<string, RegExp>> = {
  'calendar.acl': /^(?:kind|etag|id|scope)/,
  'calendar.calendarList':
    /^(?:kind|etag|accessRole|primary|dataOwner|conferenceProperties|id|summary|description|location|timeZone)(?:$|\.)/,
  'calendar.calendars': /^(?:kind|etag|id)$/,
  'calendar.events':
    /^(?:kind|etag|id|created|creator|updated|htmlLink|hangoutLink|locked|privateCopy|iCalUID|organizer|originalStartTime|recurringEventId)(?:$|\.)|conferenceSolution\.iconUri|iconLink|createRequest\.status|workingLocationProperties\.homeOffice|^attendees\.(?:id|organizer|self)$/,
  drive: /(?:^|\.)kind$/,
};

function isIdle({ id }: Method, { place, path }: Leaf): boolean {
  if (place === 'query') return IDLE_QUERY.has(path);
  const [api = '', resource = ''] = id.split('.');
  const isNew = /\.(?:insert|import)$/.test(id);
  const ofResource = GOOGLES[`${api}.${resource}`] ?? GOOGLES[api];
  if (ofResource?.test(path) !== true) return false;
  // Where something is created these are the caller's own.
  const own = /^(?:id|iCalUID|organizer|originalStartTime|scope|summary|description|location|timeZone)/.test(path);
  return !(isNew && own && !(resource === 'calendarList' && path !== 'id'));
}

const ROLES: Readonly<Record<string, string>> = {
  owner: 'owner',
  organizer: 'may manage',
  fileOrganizer: 'may organize',
  writer: 'may edit',
  commenter: 'may comment',
  reader: 'may view',
  freeBusyReader: 'free and busy',
  none: 'no access',
};

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  summary: 'Name',
  description: 'Description',
  location: 'Location',
  start: 'Start',
  end: 'End',
  recurrence: 'Repeats',
  content: 'Text',
  message: 'Message',
  emailMessage: 'Message',
  role: 'Access',
  expirationTime: 'Access ends',
  timeZone: 'Time zone',
  mimeType: 'Type of file',
  newDataOwner: 'Person',
  reviewerEmails: 'Reviewers',
  dueTime: 'Due',
  visibility: 'Visibility',
  text: 'Text',
};

interface Page {
  readonly text: string;
  readonly facts: readonly string[];
  readonly risks: readonly string[];
}

/** Whether a person who reads the page finds a part of the request there. */
function isOnPage({ id }: Method, { path, value, type, place }: Leaf, page: Page): boolean {
  const last = path.split('.').at(-1) ?? path;
  const { text, facts } = page;
  if (id === 'drive.permissions.create' && path === 'type') return value === 'user' || /everyone|\(group\)/.test(text);
  if (id === 'calendar.acl.insert' && path === 'scope.type') return value === 'user' || /everyone|\(group\)/.test(text);
  if (id === 'drive.accessproposals.resolve' && path === 'action')
    return value === 'ACCEPT' ? /^Give/.test(text) : /^Refuse/.test(text);
  // Folders, calendars and files are shown by their names.
  if (PLACES.test(path) && value !== null)
    return /^(?:Folder|From|Calendar|Refers to):/m.test(text) || /to the list of calendars/.test(text);
  if (/^(?:sendUpdates|sendNotifications|sendNotificationEmail|sendNotification)$/.test(last)) {
    // Mail is shown where there are recipients; what sends none needs no line.
    return true;
  }
  // Without it, or with false, a list of guests is the whole list.
  if (path === 'attendeesOmitted' && value !== true) return true;
  // What is created without a member has none.
  if (value === null && /\.(?:create|copy|insert|import)$/.test(id)) return true;
  if (value === null) return type === 'null' && facts.some((one) => named(one, path, last) || one.startsWith('Guests'));
  if (type === 'flag' || typeof value === 'boolean') {
    if (last === 'trashed') return value === true ? /trash/.test(text) : /trash/.test(text);
    if (/^attendees\./.test(path)) return value === false || text.includes(last);
    return facts.some((one) => named(one, path, last));
  }
  if (type === 'time' || type === 'date') {
    const day = String(value).slice(0, 10);
    const at = Date.parse(String(value));
    const days = [day, ...['Europe/Berlin', 'UTC', ...ZONES].map((timeZone) => dayIn(at, timeZone))];
    return days.some((one) => text.includes(one)) || text.includes(longDay(day));
  }
  const shown = String(value).replaceAll('\u202e', '[U+202E]').replaceAll('\u2800', '[U+2800]');
  if (Object.hasOwn(ROLES, shown) && text.includes(ROLES[shown] ?? '?')) return true;
  if (last === 'responseStatus' && value === 'needsAction') return true;
  return (
    text.includes(shown) || (place === 'query' && facts.some((one) => named(one, path, last) && one.includes(shown)))
  );
}

const PLACES =
  /^(?:addParents|removeParents|destination|parents|shortcutDetails\.targetId|backgroundImageFile\.id|id)$/;

function named(fact: string, path: string, last: string): boolean {
  const top = path.split('.')[0] ?? path;
  return [path, last, top].some((one) => fact.includes(one) || fact.startsWith(`${LABELS[one] ?? '\u0000'}:`));
}

const formats = new Map<string, Intl.DateTimeFormat>();
function dayIn(at: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone });
  formats.set(timeZone, format);
  return format.format(at);
}
function longDay(day: string): string {
  return dayIn(Date.parse(`${day}T00:00:00Z`), 'UTC');
}

/** What must be in red, judged only by the parts of the request. */
function missingWarning({ id }: Method, leaves: readonly Leaf[], { text, risks }: Page): string | undefined {
  const body = new Map(leaves.filter(({ place }) => place === 'body').map(({ path, value }) => [path, value]));
  const isGiving = (id === 'drive.permissions.create' || id === 'calendar.acl.insert') && body.get('role') !== 'none';
  const isAnyone = body.get('type') === 'anyone' || body.get('scope.type') === 'default';
  if (isGiving && isAnyone && !risks.some((one) => /^Everyone/.test(one))) return 'everyone';
  const reaches =
    (isGiving && !isAnyone) ||
    /\.(?:approvals\.(?:start|reassign)|calendars\.transferOwnership|events\.(?:insert|import))$/.test(id);
  const outside = leaves.filter(
    ({ path, value }) =>
      /@elsewhere\.net$|^q\w+\.org$/.test(String(value)) && !/removed|organizer|creator|^text$/.test(path),
  );
  const isNamed = outside.some(({ path }) => /mail|reviewer|newDataOwner|scope\.value|^domain$/i.test(path));
  if (reaches && isNamed && !risks.some((one) => /outside your organization/.test(one))) return 'outside';
  if (/\{"|"\}|\[object/.test(text)) return 'raw JSON';
  return undefined;
}

function pageOf(methodId: string, plan: Plan): Page & { readonly warning: string | undefined } {
  const words = inWords(approvalEn, 'en', aboutOf(methodId, plan), undefined);
  const facts = words.facts.map(
    ({ label, before = [], after }) =>
      `${label}: ${before.join(' | ')} → ${after.length === 0 ? 'nothing' : after.join(' | ')}`,
  );
  const text = [plainText(words.sentence), ...facts, ...words.risks, words.mails ?? ''].join('\n');
  return { text, facts, risks: words.risks, warning: words.warning };
}

/** What of a request that can be approved a person does not read; undefined where the page has all of it, and for refused requests. */
function unread({ method, plan, leaves }: Drawn): string | undefined {
  const page = pageOf(method.id, plan);
  if (page.warning !== undefined) return undefined;
  const hidden = leaves.find((leaf) => !isIdle(method, leaf) && !isOnPage(method, leaf, page));
  if (hidden !== undefined) return `${hidden.path} = ${JSON.stringify(hidden.value)} is not on the page: ${page.text}`;
  return missingWarning(method, leaves, page);
}

describe('random requests', () => {
  it('random requests are of each method that changes data', () => {
    expect(METHODS).toHaveLength(53);
  });

  const rows = { tags: ['drawn'] };
  it.each([1, 2, 3, 4])(
    'AP-30, AP-31: random requests are refused or described completely, by a second description (row %i)',
    rows,
    (seed) => {
      const dice = new Dice(seed);
      const described = new Map<string, number>();
      const faults = new Map<string, string>();
      let refused = 0;
      for (let i = 0; i < REQUESTS; i++) {
        const drawn = draw(dice);
        const { method, plan } = drawn;
        if (refusedFor(method.id, plan) !== undefined) {
          refused += 1;
          continue;
        }
        described.set(method.id, (described.get(method.id) ?? 0) + 1);
        const fault = unread(drawn);
        const kind = `${method.id} ${fault?.split(' ')[0]}`;
        if (fault === undefined || faults.has(kind)) continue;
        faults.set(kind, `${fault}\nin ${i}: ${plan.method} ${plan.target} ${plan.body?.toString() ?? ''}`);
      }
      expect([...faults.values()].slice(0, 10)).toEqual([]);
      expect(refused).toBeGreaterThan(REQUESTS / 10);
      if (!DRAWS_ALL) return;
      expect(METHODS.filter(({ id }) => !described.has(id)).map(({ id }) => id)).toEqual([]);
    },
  );
});

/** A body with one member of a schema, at any depth, and what stands at its end. */
interface OneMember {
  readonly json: Json;
  readonly leaf: Leaf;
}

const SAMPLES: Readonly<Record<string, readonly Leaf['value'][]>> = {
  boolean: [true, false],
  integer: [4_711],
  int64: [4_711],
  number: [4_711],
  time: ['2027-05-04T10:00:00Z'],
  date: ['2027-05-04'],
};

function* oneMember(api: Method['api'], type: string, path: string, depth: number): Generator<OneMember> {
  const inner = /^[[{](.*)[\]}]$/.exec(type)?.[1];
  if (inner !== undefined) {
    const isList = type.startsWith('[');
    for (const { json, leaf } of oneMember(api, inner, isList ? path : `${path}.own`, depth)) {
      yield { json: isList ? [json] : { members: [['own', json]] }, leaf };
    }
    return;
  }
  const name = path.split('.').at(-1) ?? path;
  const words = type.startsWith('(') ? type.slice(1, -1).split('|') : undefined;
  const texts = VALUES[name] ?? [ADDRESSED.test(name) ? 'somebody@elsewhere.net' : 'word1', ...ZONES.slice(0, 1)];
  const samples = words ?? SAMPLES[type] ?? (type === 'string' ? texts : undefined);
  for (const value of samples ?? []) {
    const kind = type === 'boolean' ? 'flag' : type;
    yield { json: value, leaf: { place: 'body', path, value, type: kind } };
  }
  if (samples !== undefined || depth > 5) return;
  for (const [member, of] of membersOf(api, type)) {
    for (const { json, leaf } of oneMember(api, of, path === '' ? member : `${path}.${member}`, depth + 1)) {
      yield { json: { members: [[member, json]] }, leaf };
    }
  }
}

/** A body as JSON, written plainly. */
function plain(json: Json): unknown {
  if (Array.isArray(json)) return json.map(plain);
  if (typeof json !== 'object' || json === null || !('members' in json)) return json;
  return Object.fromEntries(json.members.map(([name, one]) => [name, plain(one)]));
}

describe('each nested member of each body', () => {
  it('AP-30: each nested member of each body is refused or on the page, with every value that it may have', () => {
    const faults: string[] = [];
    let described = 0;
    let refused = 0;
    for (const method of METHODS) {
      if (method.schema === undefined) continue;
      for (const { json, leaf } of oneMember(method.api, method.schema, '', 0)) {
        const plan = callOf(method.id, method.id.endsWith('move') ? 'destination=c2' : '', plain(json));
        if (refusedFor(method.id, plan) !== undefined) {
          refused += 1;
          continue;
        }
        described += 1;
        const fault = unread({ method, plan, leaves: [leaf] });
        if (fault !== undefined) faults.push(`${method.id}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    expect([described > 400, refused > 1_000]).toEqual([true, true]);
  });
});

type Pairs = readonly (readonly [string, string | boolean])[];

/** Sharings with each pair of members and parameters. */
function* sharings(): Generator<{ readonly body: Record<string, unknown>; readonly query: Record<string, string> }> {
  const more: Pairs = [
    ...([true, false].map((on) => ['allowFileDiscovery', on]) as Pairs),
    ['expirationTime', '2027-05-04T10:00:00Z'],
    ['pendingOwner', true],
    ['view', 'published'],
    ['?transferOwnership', 'true'],
    ['?sendNotificationEmail', 'false'],
    ['?emailMessage', 'Hello'],
    ['?moveToNewOwnersRoot', 'true'],
    ['?useDomainAdminAccess', 'true'],
    ['?enforceExpansiveAccess', 'true'],
  ];
  const targets: readonly Record<string, string>[] = [
    {},
    { emailAddress: 'eve@elsewhere.net' },
    { domain: 'elsewhere.net' },
    { emailAddress: 'eve@elsewhere.net', domain: 'elsewhere.net' },
  ];
  for (const type of ['user', 'group', 'domain', 'anyone', undefined]) {
    for (const role of ['owner', 'organizer', 'fileOrganizer', 'writer', 'commenter', 'reader', undefined]) {
      for (const target of targets) {
        for (const [at, first] of more.entries()) {
          for (const second of more.slice(at)) {
            const both = [first, second];
            const inQuery = both.filter(([name]) => name.startsWith('?'));
            const inBody = both.filter(([name]) => !name.startsWith('?'));
            yield {
              body: { ...(type && { type }), ...(role && { role }), ...target, ...Object.fromEntries(inBody) },
              query: Object.fromEntries(inQuery.map(([name, value]) => [name.slice(1), String(value)])),
            };
          }
        }
      }
    }
  }
}

/** Why a sharing says two things, or leaves open who gets what; undefined where it has one meaning. */
function ambiguity(body: Record<string, unknown>, query: Record<string, string>): string | undefined {
  const { type, role, emailAddress, domain, allowFileDiscovery, expirationTime, pendingOwner } = body;
  if (type === undefined || role === undefined) return 'nobody or nothing';
  const isPerson = type === 'user' || type === 'group';
  if (isPerson !== (emailAddress !== undefined)) return 'address';
  if ((type === 'domain') !== (domain !== undefined)) return 'domain';
  if (isPerson && allowFileDiscovery !== undefined) return 'discovery of a person';
  if (!isPerson && (expirationTime !== undefined || query.emailMessage !== undefined)) return 'expiry or mail of many';
  if (type !== 'user' && (role === 'owner' || pendingOwner !== undefined)) return 'owner';
  if ((role === 'owner') !== (query.transferOwnership === 'true')) return 'transfer';
  if (query.sendNotificationEmail === 'false' && query.emailMessage !== undefined) return 'mail';
  return undefined;
}

describe('each pair of members of a sharing', () => {
  it('AP-31: each pair of members of a sharing is refused where it says two things, and on the page where it has one meaning', () => {
    const method = METHODS.find(({ id }) => id === 'drive.permissions.create');
    if (method === undefined) throw new Error('There is no such method.');
    const faults: string[] = [];
    const kinds = new Set<unknown>();
    for (const { body, query } of sharings()) {
      const plan = callOf(method.id, new URLSearchParams(query).toString(), body);
      const why = ambiguity(body, query);
      const isRefused = refusedFor(method.id, plan) !== undefined;
      const said = JSON.stringify([body, query]);
      if (isRefused !== (why !== undefined)) faults.push(`${said} is ${isRefused ? 'refused' : 'taken'}: ${why}`);
      if (isRefused) continue;
      kinds.add(body.type);
      const leaves: Leaf[] = [
        ...Object.entries(body).map(([path, value]) => leafOf('body', path, value)),
        ...Object.entries(query).map(([path, value]) => leafOf('query', path, value === 'true' || value)),
      ];
      const fault = unread({ method, plan, leaves });
      if (fault !== undefined) faults.push(`${said}: ${fault}`);
    }
    expect(faults.slice(0, 10)).toEqual([]);
    expect([...kinds].toSorted()).toEqual(['anyone', 'domain', 'group', 'user']);
  });

  it('AP-31: judges each pair of members of a calendar’s sharing in the same way', () => {
    const types = ['default', 'user', 'group', 'domain', undefined];
    const values = ['eve@elsewhere.net', 'elsewhere.net', undefined];
    for (const type of types) {
      for (const value of values) {
        for (const role of ['none', 'freeBusyReader', 'reader', 'writer', 'owner', undefined]) {
          const body = { ...(role && { role }), scope: { ...(type && { type }), ...(value && { value }) } };
          const wanted = type === 'default' ? undefined : type === 'domain' ? values[1] : values[0];
          const isPlain = type !== undefined && role !== undefined && value === wanted;
          const plan = callOf('calendar.acl.insert', '', body);
          expect([body, refusedFor('calendar.acl.insert', plan) === undefined]).toEqual([body, isPlain]);
          if (!isPlain || role === 'none') continue;
          const { risks, text } = pageOf('calendar.acl.insert', plan);
          expect(risks).toEqual([expect.stringMatching(type === 'default' ? /^Everyone on the internet/ : /outside/)]);
          expect(text).toContain(type === 'default' ? 'everyone on the internet' : value);
        }
      }
    }
  });
});

function leafOf(place: Leaf['place'], path: string, value: unknown): Leaf {
  const type = typeof value === 'boolean' ? 'flag' : path.endsWith('Time') ? 'time' : 'text';
  return { place, path, value: typeof value === 'boolean' ? value : String(value), type };
}
