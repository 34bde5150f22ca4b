import { saidBy } from '../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Table } from '../../../lambdas/gateway/platform/dynamodb/client.ts';
import { RECORDED_RECORDS } from '../features/recorded-records.ts';
import { readTrail } from './read-trail.ts';

const RECORDS = Object.values(RECORDED_RECORDS);
/** Attributes of an event that the trail needs. */
const MEMBERS: readonly string[] = [
  ...['eventType', 'integrationId', 'sequence', 'cause', 'keyId'],
  ...RECORDS.map(({ attribute }) => attribute),
];

/** The table's audit trail about the account's own records. */
export interface AccountTrail {
  /** Integrations, by id: whether the last that happened was their deletion, and the highest number of an event. */
  readonly integrations: ReadonlyMap<string, { readonly deleted: boolean; readonly lastSequence: number }>;
  /** Ids of records of features whose deletion is the last that happened. */
  readonly deleted: ReadonlySet<string>;
  /** Starts of the digests of secret keys. */
  readonly revokedKeys: ReadonlySet<string>;
}

/** Reads the trail of each account at most once, and only when something is missing. */
export class AccountTrails {
  readonly #table: Table;
  readonly #read = new Map<string, Promise<AccountTrail>>();

  constructor(table: Table) {
    this.#table = table;
  }

  of(accountId: string): Promise<AccountTrail> {
    const known = this.#read.get(accountId) ?? readAccountTrail(this.#table, accountId);
    this.#read.set(accountId, known);
    return known;
  }
}

async function readAccountTrail(table: Table, accountId: string): Promise<AccountTrail> {
  const integrations = new Map<string, { deleted: boolean | undefined; lastSequence: number }>();
  const isDeleted = new Map<string, boolean>();
  const revokedKeys = new Set<string>();
  for (const item of await readTrail(table, { accountId }, MEMBERS)) {
    const { eventType, sequence, integrationId } = item;
    if (typeof integrationId === 'string' && integrationId !== '') {
      const known = integrations.get(integrationId) ?? { deleted: undefined, lastSequence: 0 };
      if (eventType === 'IntegrationDeleted' || eventType === 'IntegrationCreated') {
        known.deleted ??= eventType === 'IntegrationDeleted';
      }
      known.lastSequence = Math.max(known.lastSequence, Number(sequence) || 0);
      integrations.set(integrationId, known);
    }
    const says: Readonly<Record<string, string | undefined>> = saidBy(String(eventType), (name) =>
      typeof item[name] === 'string' ? item[name] : undefined,
    );
    const record = RECORDS.find(({ created, deleted }) => eventType === created || eventType === deleted);
    const id = record === undefined ? undefined : says[record.member];
    if (id !== undefined && !isDeleted.has(id)) isDeleted.set(id, eventType === record?.deleted);
    if (eventType === 'SecretKeyRevoked' && says.key_id !== undefined) revokedKeys.add(says.key_id);
  }
  return {
    integrations: new Map(
      [...integrations].map(([id, { deleted, lastSequence }]) => [id, { deleted: deleted === true, lastSequence }]),
    ),
    deleted: new Set([...isDeleted].flatMap(([id, deleted]) => (deleted ? [id] : []))),
    revokedKeys,
  };
}
