import * as z from 'zod';
import { answered, bodyOf, isOwn } from '../../declared/answered.ts';
import { isSame } from '../../declared/compared.ts';
import { DeclarationError } from '../../declared/declaration-error.ts';
import { NOTHING_MADE } from '../../declared/event.ts';
import type { Compared, Declared, Declaring, Kind } from '../../declared/ports.ts';
import { readProperties, text, truth, wholeNumber } from '../../declared/read-properties.ts';
import { runner } from '../../declared/runner.ts';

const properties = z.strictObject({
  Integration: text,
  ConnectionId: text,
  Resource: text,
  Delivery: text.default('bus'),
  // Defaults of POST /feeds, so that a rollback restores them.
  SafetyIntervalSec: wholeNumber.default(21_600),
  PollIntervalSec: wholeNumber.default(300),
  Meaning: truth.default(false),
  Seen: truth.default(false),
  Reminders: z.array(wholeNumber, { error: 'must be a list' }).default([]),
});

type Properties = z.output<typeof properties>;

const known = z.looseObject({
  id: z.string(),
  resource: z.string(),
  delivery: z.string(),
  safety_interval_sec: z.number(),
  poll_interval_sec: z.number(),
  meaning: z.boolean(),
  seen: z.boolean(),
  reminders: z.array(z.number()),
  managed_by: z.looseObject({ stack_id: z.string(), resources: z.array(z.string()) }).nullable(),
});
const one = z.looseObject({ data: known });
const list = z.looseObject({ data: z.array(known) });

type Known = z.output<typeof known>;

/**
 * Feeds of connections that exist when the stack is deployed, such as that of a service account. Another connection or resource is
 * another feed: the former one keeps its position until CloudFormation deletes it, and a rollback finds it.
 */
export const feedKind: Kind<Properties> = {
  read: (given) => readProperties(properties, given),

  async create(declaring, wanted) {
    const there = (await stackFeeds(declaring, wanted)).find(({ resource }) => resource === wanted.Resource);
    if (there === undefined) {
      const body = {
        ...{ provider_config_key: wanted.Integration, connection_id: wanted.ConnectionId, resource: wanted.Resource },
        ...settingsOf(wanted),
      };
      const created = await answered(declaring, { method: 'POST', path: '/feeds', body }, 'ConnectionId');
      return declared(one.parse(created).data);
    }
    if (!isOwn(declaring, there.managed_by) && !isSame(comparedTo(there, wanted))) {
      throw new DeclarationError(
        `Resource: the resource ${there.managed_by?.resources.join(' and ')} of this stack declares this feed with other properties; move it without changing it, and change it in the next update.`,
      );
    }
    return change(declaring, wanted, there);
  },

  async update(declaring, wanted, physicalId, former) {
    const updated = await feedKind.create(declaring, wanted);
    // Those of an update that failed, at the resource or connection that it asked for: CloudFormation does not know them.
    if (updated.physicalId === physicalId) await removeOwn(declaring, former, (id) => id !== physicalId);
    return updated;
  },

  remove: (declaring, physicalId, given) =>
    removeOwn(declaring, given, (id) => id === physicalId || physicalId === NOTHING_MADE),

  async compare(declaring, wanted, physicalId) {
    // By its id: a template may not show the values of `Integration` and `ConnectionId`.
    const found = await declaring.api({ method: 'GET', path: pathOf(physicalId) });
    if (found.status === 404) return undefined;
    const { data } = one.parse(bodyOf(found, 'Resource'));
    return data.managed_by?.stack_id === declaring.stack.stackId ? comparedTo(data, wanted) : undefined;
  },
};

const pathOf = (id: string) => `/feeds/${id}`;

/** Deletes feeds that this resource has at a connection. @param given properties as sent, which name the connection */
async function removeOwn(
  declaring: Declaring,
  given: Readonly<Record<string, unknown>>,
  isMeant: (id: string) => boolean,
): Promise<void> {
  const { success, data } = properties.pick({ Integration: true, ConnectionId: true }).loose().safeParse(given);
  if (!success) return;
  for (const { id, managed_by } of await stackFeeds(declaring, data)) {
    if (!isMeant(id) || !isOwn(declaring, managed_by)) continue;
    await answered(declaring, { method: 'DELETE', path: pathOf(id) }, 'ConnectionId');
  }
}

async function change(declaring: Declaring, wanted: Properties, there: Known): Promise<Declared> {
  const call = { method: 'PATCH', path: pathOf(there.id), body: settingsOf(wanted) } as const;
  await answered(declaring, call, 'ConnectionId');
  return declared(there);
}

function declared({ id }: Known): Declared {
  return { physicalId: id, attributes: { FeedId: id } };
}

/** Every setting, so that a rollback restores those that it does not name. */
function settingsOf({ Delivery, SafetyIntervalSec, PollIntervalSec, Meaning, Seen, Reminders }: Properties) {
  return {
    ...{ delivery: Delivery, safety_interval_sec: SafetyIntervalSec, poll_interval_sec: PollIntervalSec },
    ...{ meaning: Meaning, seen: Seen, reminders: Reminders },
  };
}

function comparedTo(now: Known, wanted: Properties): Compared {
  return { declared: { resource: wanted.Resource, ...settingsOf(wanted) }, now };
}

/** Feeds of a connection that the stack declares; a connection has few. */
async function stackFeeds(
  declaring: Declaring,
  { Integration, ConnectionId }: Pick<Properties, 'Integration' | 'ConnectionId'>,
): Promise<readonly Known[]> {
  const query = { provider_config_key: Integration, connection_id: ConnectionId };
  const found = await declaring.api({ method: 'GET', path: '/feeds', query });
  // The integration is gone or not there yet, or the gateway is deployed without feeds: creating the feed reports that.
  if (found.status === 400 || found.status === 404) return [];
  const { data } = list.parse(bodyOf(found, 'Integration'));
  return data.filter(({ managed_by }) => managed_by?.stack_id === declaring.stack.stackId);
}

/** Feeds as resources of stacks. */
export const declaredKind = { type: 'Custom::GatewayFeed', run: runner(feedKind) };
