import type { SimAccount } from '../accounts.ts';
import { callInside, multipartUpload } from '../api/call-inside.ts';
import { CONFERENCE_PROPERTIES } from '../calendar/dataset.ts';
import { isTimeZone } from '../calendar/zoned-time.ts';
import { SEED_CLIENT, upsertClient } from '../oauth/clients.ts';
import { issueAccessToken } from '../oauth/issue-tokens.ts';
import {
  anything,
  flag,
  isRecord,
  listOf,
  object,
  optional,
  type Parser,
  parseJson,
  recordOf,
  ShapeError,
  text,
} from '../parse.ts';
import { sha256Hex } from '../random.ts';
import type { Simulation } from '../simulation.ts';
import { clientBody, putClient } from './client-body.ts';
import { requireAccount } from './grants.ts';

const share = object({ with: text, role: text });

const calendarSeed = object({
  owner: text,
  summary: text,
  id: optional(text),
  timeZone: optional(text),
  description: optional(text),
  share: optional(listOf(share)),
});
export type CalendarSeed = ReturnType<typeof calendarSeed>;

const fileSeed = object({
  owner: text,
  name: text,
  id: optional(text),
  folder: optional(text),
  mimeType: optional(text),
  text: optional(text),
  base64: optional(text),
  share: optional(listOf(share)),
});
export type FileSeed = ReturnType<typeof fileSeed>;

/** An event as the API takes it in `events.insert`, with the calendar it belongs to. */
const eventSeed: Parser<{ calendar: string } & Record<string, unknown>> = (value, place) => {
  const event = recordOf(anything)(value, place);
  return { ...event, calendar: text(event.calendar, `${place}.calendar`) };
};

/** What a seed file holds; packages/simulator/README.md describes every member. */
export const seedShape = object({
  generated: optional(flag),
  now: optional(text),
  clients: optional(listOf(clientBody)),
  calendars: optional(listOf(calendarSeed)),
  events: optional(listOf(eventSeed)),
  files: optional(listOf(fileSeed)),
});
export type Seed = ReturnType<typeof seedShape>;

const SEED_SCOPES = ['https://www.googleapis.com/auth/drive', 'https://www.googleapis.com/auth/calendar'];

/** Calls the simulator's own APIs as an account, so that a seed obeys the rules that everybody obeys. */
class SeedCaller {
  readonly #sim: Simulation;
  readonly #tokens = new Map<string, string>();
  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  #token({ sub }: SimAccount): string {
    const known = this.#tokens.get(sub);
    if (known !== undefined) return known;
    const authorization = { clientId: SEED_CLIENT, sub, scopes: SEED_SCOPES, consentedAtMs: this.#sim.clock.nowMs() };
    const token = issueAccessToken(this.#sim, authorization, null);
    this.#tokens.set(sub, token);
    return token;
  }

  /**
   * One call; its JSON answer.
   * @throws {ShapeError} naming the place in the seed, with what the API said
   */
  async call(
    account: SimAccount,
    place: string,
    method: string,
    target: string,
    body: Buffer | Record<string, unknown>,
    type = 'application/json',
  ): Promise<Record<string, unknown>> {
    const accessToken = this.#token(account);
    const { resource, problem } = await callInside(this.#sim, { accessToken, method, target, body, type });
    if (problem !== undefined) throw new ShapeError(`${place}: ${problem}`);
    return resource;
  }

  forget(): void {
    for (const token of this.#tokens.values()) this.#sim.state.accessTokens.delete(sha256Hex(token));
    this.#sim.state.clients.delete(SEED_CLIENT);
  }
}

/** `anyone`, a domain or an e-mail address: the kinds that both APIs distinguish. */
function scopeOf(person: string): { type: 'default' | 'domain' | 'user'; value?: string } {
  if (person === 'anyone') return { type: 'default' };
  return { type: person.includes('@') ? 'user' : 'domain', value: person };
}

function account(email: string, place: string): SimAccount {
  try {
    return requireAccount(email);
  } catch (error) {
    throw new ShapeError(`${place}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function seedCalendar(sim: Simulation, caller: SeedCaller, seed: CalendarSeed, place: string): Promise<void> {
  const owner = account(seed.owner, `${place}.owner`);
  const id = seed.id ?? `c_${sha256Hex(`${seed.owner} ${seed.summary}`)}@group.calendar.google.com`;
  if (!id.endsWith('@group.calendar.google.com')) {
    throw new ShapeError(`${place}.id must end in @group.calendar.google.com, as ids of secondary calendars do.`);
  }
  const timeZone = seed.timeZone ?? owner.timeZone;
  if (!isTimeZone(timeZone)) throw new ShapeError(`${place}.timeZone: "${timeZone}" is no IANA time zone.`);
  const store = sim.calendar;
  if (store.calendar(id) !== undefined)
    throw new ShapeError(`${place}: there is a calendar with the id ${id} already.`);
  const updatedMs = sim.clock.nowMs();
  const { summary, description } = seed;
  const more = { ...(description === undefined ? {} : { description }), conferenceProperties: CONFERENCE_PROPERTIES };
  store.putCalendar({
    ...{ id, summary, timeZone, more, updatedMs },
    ...{ deleted: false, isPrimary: false, ownerSub: owner.sub, project: null },
  });
  store.putRule({ calendarId: id, role: 'owner', scopeType: 'user', scopeValue: owner.email, updatedMs });
  await caller.call(owner, place, 'POST', '/calendar/v3/users/me/calendarList', { id });
  for (const [index, one] of (seed.share ?? []).entries()) {
    const body = { role: one.role, scope: scopeOf(one.with) };
    const at = `${place}.share[${index}]`;
    await caller.call(owner, at, 'POST', `/calendar/v3/calendars/${encodeURIComponent(id)}/acl`, body);
    if (body.scope.type !== 'user') continue;
    // Unlike an API client, a seed adds a shared calendar to the list of the person it is shared with: tests start from there.
    const guest = account(one.with, `${at}.with`);
    await caller.call(guest, at, 'POST', '/calendar/v3/users/me/calendarList', { id });
  }
}

async function seedEvent(
  sim: Simulation,
  caller: SeedCaller,
  seed: Record<string, unknown>,
  place: string,
): Promise<void> {
  const { calendar: wanted, ...event } = seed;
  const all = sim.calendar.calendars();
  const known = all.find(({ id }) => id === wanted);
  const titled = all.filter(({ summary }) => summary === wanted);
  // Titles of the seed's own calendars come before those of generated ones.
  const seeded = titled.filter(({ seq }) => seq > 0);
  const found = known !== undefined ? [known] : seeded.length > 0 ? seeded : titled;
  const [calendar] = found;
  if (calendar === undefined || found.length > 1) {
    const problem = calendar === undefined ? 'no calendar has' : 'several calendars have';
    throw new ShapeError(`${place}.calendar: ${problem} the id or title "${String(wanted)}".`);
  }
  if (calendar.ownerSub === null) throw new ShapeError(`${place}.calendar: ${calendar.id} is Google's own.`);
  const owner = account(calendar.ownerSub, `${place}.calendar`);
  const path = `/calendar/v3/calendars/${encodeURIComponent(calendar.id)}/events`;
  await caller.call(owner, place, 'POST', `${path}?conferenceDataVersion=1&supportsAttachments=true`, event);
}

const FOLDER = 'application/vnd.google-apps.folder';

/** The folder of a path such as `Reports/2026` in an account's My Drive, made where it is not there. */
async function folderOf(caller: SeedCaller, owner: SimAccount, path: string, place: string): Promise<string> {
  let parent = 'root';
  for (const name of path.split('/').filter((part) => part !== '')) {
    const quoted = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
    const q = `name = '${quoted}' and mimeType = '${FOLDER}' and '${parent}' in parents and trashed = false`;
    const found = await caller.call(owner, place, 'GET', `/drive/v3/files?q=${encodeURIComponent(q)}`, {});
    const [first] = Array.isArray(found.files) ? found.files.filter(isRecord) : [];
    const folder =
      first ??
      (await caller.call(owner, place, 'POST', '/drive/v3/files', { name, mimeType: FOLDER, parents: [parent] }));
    parent = text(folder.id, `${place}.folder`);
  }
  return parent;
}

async function seedFile(caller: SeedCaller, seed: FileSeed, place: string): Promise<void> {
  const owner = account(seed.owner, `${place}.owner`);
  const { name, id } = seed;
  if (seed.text !== undefined && seed.base64 !== undefined)
    throw new ShapeError(`${place} takes text or base64, not both.`);
  const mimeType = seed.mimeType ?? 'text/plain';
  const parents = [await folderOf(caller, owner, seed.folder ?? '', `${place}.folder`)];
  const metadata = { name, mimeType, parents, ...(id === undefined ? {} : { id }) };
  const bytes = seed.base64 === undefined ? Buffer.from(seed.text ?? '') : Buffer.from(seed.base64, 'base64');
  const isGoogles = mimeType.startsWith('application/vnd.google-apps.');
  const upload = multipartUpload(metadata, bytes, mimeType);
  const file = isGoogles
    ? await caller.call(owner, place, 'POST', '/drive/v3/files', metadata)
    : await caller.call(owner, place, 'POST', '/upload/drive/v3/files?uploadType=multipart', upload.body, upload.type);
  for (const [index, one] of (seed.share ?? []).entries()) {
    const { type, value } = scopeOf(one.with);
    const who =
      type === 'default'
        ? { type: 'anyone' }
        : type === 'user'
          ? { type, emailAddress: value }
          : { type, domain: value };
    const path = `/drive/v3/files/${text(file.id, place)}/permissions?sendNotificationEmail=false`;
    await caller.call(owner, `${place}.share[${index}]`, 'POST', path, { ...who, role: one.role });
  }
}

/**
 * Adds what a seed holds to the state, in the order clock, clients, calendars, events, files.
 * @throws {ShapeError} naming the first entry that the APIs refuse; what stands before it is there
 */
export async function applySeed(sim: Simulation, seed: Seed): Promise<void> {
  if (seed.generated !== undefined && seed.generated !== sim.state.generated) {
    sim.state.generated = seed.generated;
    sim.reopen();
  }
  if (seed.now !== undefined) {
    const ms = Date.parse(seed.now);
    if (Number.isNaN(ms)) throw new ShapeError('seed.now must be a time such as "2026-11-22T09:00:00Z".');
    sim.clock.fixedMs = ms;
    sim.state.clockFixedMs = ms;
  }
  for (const client of seed.clients ?? []) putClient(sim, client);
  upsertClient(sim.state, { clientId: SEED_CLIENT, clientSecret: 'seed', redirectUris: [] });
  const caller = new SeedCaller(sim);
  try {
    for (const [index, one] of (seed.calendars ?? []).entries()) {
      await seedCalendar(sim, caller, one, `seed.calendars[${index}]`);
    }
    for (const [index, one] of (seed.events ?? []).entries())
      await seedEvent(sim, caller, one, `seed.events[${index}]`);
    for (const [index, one] of (seed.files ?? []).entries()) await seedFile(caller, one, `seed.files[${index}]`);
  } finally {
    caller.forget();
  }
  sim.state.markChanged();
}

/** `POST /__sim/seed`: a seed file's content over HTTP. */
export async function seedFromBody(sim: Simulation, body: string): Promise<unknown> {
  const seed = parseJson(body, seedShape, 'seed');
  await applySeed(sim, seed);
  const count = (list: unknown[] | undefined) => list?.length ?? 0;
  return { calendars: count(seed.calendars), events: count(seed.events), files: count(seed.files) };
}
