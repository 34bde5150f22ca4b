import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { eventPk } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import type { TestGateway } from '../../support/gateway.ts';
import { changeConnection, connectionKey, readConnection, tableClient } from '../../support/table.ts';
import type { Subject } from './fault-world.ts';
import type { Ledger } from './ledger.ts';
import { nowSec } from './timing.ts';
import type { Transcripts } from './transcripts.ts';

const FILES = '/drive/v3/files?pageSize=1';
const CALENDAR = '/calendar/v3/calendars/primary';
/** Attributes that, once set by a test, make a connection need new tokens. */
const NEEDS_TOKENS = ['accessTokenExpiresAtEpochSec', 'refreshAt', 'lastRefreshedAtEpochSec'];

/** Counts how often connections came to need new tokens; causes between two refreshes are one need. */
export class TokenNeeds {
  readonly #ledger: Ledger;
  readonly #needs = new Map<string, { count: number; refreshesThen: number }>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  note(key: string): void {
    const refreshesThen = this.#ledger.refreshes(key);
    const known = this.#needs.get(key);
    if (known?.refreshesThen === refreshesThen) return;
    this.#needs.set(key, { count: (known?.count ?? 0) + 1, refreshesThen });
  }

  of(key: string): number {
    return this.#needs.get(key)?.count ?? 0;
  }
}

/** Sees whether an epoch ever falls, by every look at a row. */
export class EpochWatch {
  readonly fallen: string[] = [];
  readonly #highest = new Map<string, { epoch: number; tokenEpoch: number }>();

  note(key: string, row: Record<string, unknown>): void {
    const now = { epoch: Number(row.epoch), tokenEpoch: Number(row.tokenEpoch) };
    const before = this.#highest.get(key) ?? now;
    if (now.epoch < before.epoch || now.tokenEpoch < before.tokenEpoch) this.fallen.push(key);
    this.#highest.set(key, now);
  }
}

/** What notes the deeds done to a connection and by its callers. */
export interface Notes {
  readonly gateway: TestGateway;
  readonly transcripts: Transcripts;
  readonly needs: TokenNeeds;
  readonly epochs: EpochWatch;
}

/** A connection under test, whose calls and changes are noted. */
export function subjectOf(notes: Notes, about: Pick<Subject, 'integrationId' | 'connectionId' | 'account'>): Subject {
  const { integrationId, connectionId, account } = about;
  const { gateway, transcripts, needs, epochs } = notes;
  const key = `${integrationId} ${connectionId}`;
  const { pk } = connectionKey(integrationId, connectionId);
  const eventsPk = eventPk({ accountId: 'default', integrationId, connectionId });
  const subject: Subject = {
    integrationId,
    connectionId,
    key,
    path: `/connections/${encodeURIComponent(connectionId)}?provider_config_key=${integrationId}`,
    account,
    call(path = integrationId === 'google-calendar' ? CALENDAR : FILES, init = undefined) {
      const { tag, target } = transcripts.tagged(path);
      return transcripts.record({ tag, key, method: init?.method ?? 'GET', path }, () =>
        gateway.call(`/proxy${target}`, {
          ...init,
          headers: {
            'provider-config-key': integrationId,
            'connection-id': connectionId,
            ...(init === undefined ? {} : { 'content-type': 'application/json' }),
          },
        }),
      );
    },
    async row() {
      const row = await readConnection(gateway, integrationId, connectionId);
      epochs.note(key, row);
      return row;
    },
    set(attributes) {
      if (NEEDS_TOKENS.some((name) => name in attributes)) needs.note(key);
      return changeConnection(gateway, integrationId, connectionId, attributes);
    },
    expire: () => subject.set({ accessTokenExpiresAtEpochSec: nowSec() - 10 }),
    owns: (call) => call.body.includes(pk) || call.body.includes(eventsPk),
    async events() {
      const { Items = [] } = await tableClient(gateway).send(
        new QueryCommand({
          TableName: gateway.gateway.tableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': eventsPk, ':prefix': 'EVENT#' },
          ConsistentRead: true,
        }),
      );
      // Sequence 0 reports no transition, such as the start of a flow; those of feeds count for themselves.
      return Items.filter(({ feedId }) => !feedId)
        .map((item) => ({
          id: String(item.eventId),
          type: String(item.eventType),
          sequence: Number(item.sequence),
          cause: String(item.cause),
        }))
        .filter(({ sequence }) => sequence > 0);
    },
  };
  return subject;
}
