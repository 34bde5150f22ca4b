import assert from 'node:assert/strict';
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { callCountItemKey } from '../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { jsonRequest, type TestGateway } from '../../support/gateway.ts';
import { changeItem, readItem, tableClient } from '../../support/table.ts';
import type { Subject } from './fault-world.ts';
import type { Owner, WatchedResource } from './owner.ts';

type Row = Record<string, unknown>;

const shown = z.object({
  data: z.looseObject({ id: z.string(), state: z.string(), reason: z.string().nullable(), last_sequence: z.number() }),
});
const changes = z.object({
  data: z.array(
    z.object({
      sequence: z.number(),
      kind: z.string(),
      changes: z.array(z.object({ id: z.string(), kind: z.string(), subtree: z.boolean().optional() }).loose()),
    }),
  ),
  last_sequence: z.number(),
  has_more: z.boolean(),
});
const listOfChannels = z.array(z.looseObject({ id: z.string() }));

export type ShownBatch = z.output<typeof changes>['data'][number];

/** A feed under test, with a consumer that follows docs/changes.md. */
export class WatchedFeed {
  readonly id: string;
  readonly subject: Subject;
  readonly resource: WatchedResource;
  /** Another one once the connection has another account. */
  owner: Owner;
  readonly #gateway: TestGateway;
  /** The consumer's copy: names by id. */
  readonly copy = new Map<string, string>();
  /** Sequence of the last batch that the consumer is done with; undefined before its first list. */
  #done: number | undefined;
  /** True once the row has ended it. */
  isDeleted = false;

  private constructor(gateway: TestGateway, id: string, subject: Subject, resource: WatchedResource, owner: Owner) {
    this.#gateway = gateway;
    this.id = id;
    this.subject = subject;
    this.resource = resource;
    this.owner = owner;
  }

  /** Makes a feed. @throws Error when the gateway refuses it */
  static async make(
    gateway: TestGateway,
    subject: Subject,
    resource: WatchedResource,
    owner: Owner,
  ): Promise<WatchedFeed> {
    const { integrationId, connectionId } = subject;
    const body = { provider_config_key: integrationId, connection_id: connectionId, resource };
    const answer = await gateway.call('/feeds', jsonRequest('POST', body));
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`No feed: ${answer.status} ${text}`);
    const feed = new WatchedFeed(gateway, shown.parse(JSON.parse(text)).data.id, subject, resource, owner);
    await feed.read();
    return feed;
  }

  /** Changes something at the provider. @returns its id */
  change(name = 'made by a row'): Promise<string> {
    return this.owner.make(this.resource, name);
  }

  /** As the API shows it. */
  async show(): Promise<z.output<typeof shown>['data']> {
    const answer = await this.#gateway.call(`/feeds/${this.id}`);
    return shown.parse(await answer.json()).data;
  }

  pull(): Promise<Response> {
    return this.#gateway.call(`/feeds/${this.id}/pull`, { method: 'POST' });
  }

  async delete(): Promise<Response> {
    const answer = await this.#gateway.call(`/feeds/${this.id}`, { method: 'DELETE' });
    if (answer.ok) this.isDeleted = true;
    return answer;
  }

  /** Empty when it is gone. */
  async row(): Promise<Row> {
    return (await readItem(this.#gateway, this.#key)) ?? {};
  }

  async mark(): Promise<Row> {
    return (await readItem(this.#gateway, this.#markKey)) ?? {};
  }

  async isMarked(): Promise<boolean> {
    return (await this.mark()).dueShard !== undefined;
  }

  set(attributes: Row): Promise<void> {
    return this.#set(this.#key, attributes, 'attribute_exists(pk)');
  }

  /**
   * Everything that the feed waits for is over: a lease that was lost, a back-off, the hour between two baselines, the time
   * until the next safety pull. What the quota of its Cloud project holds up is over, too.
   */
  async letTimePass(): Promise<void> {
    const row = await this.row();
    if (row.pk === undefined) return;
    await this.set({
      refreshAt: 1,
      pullAtEpochSec: 1,
      notBeforeEpochSec: 0,
      lastPullAtMs: 0,
      ...(row.leaseOwner === undefined ? {} : { leaseExpiresAtMs: 1 }),
      ...(row.lastGapAtEpochSec === undefined ? {} : { lastGapAtEpochSec: 1 }),
    });
    await this.#set(this.#markKey, { refreshAt: 1 }, 'attribute_exists(dueShard)');
    const project = /^\d+/.exec(String(row.clientId))?.[0] ?? String(row.clientId);
    for (const provider of ['google-drive', 'google-calendar']) {
      const minute = Math.floor(Date.now() / 60_000);
      // The quota that feeds were admitted to, and the reported use of the project's minute.
      const keys = [
        { pk: `FEEDQUOTA#${project}`, sk: `QUOTA#${provider}` },
        ...[minute - 1, minute].map((window) =>
          callCountItemKey({ kind: 'project_units', id: `${provider}#${project}` }, window),
        ),
      ];
      for (const Key of keys) await this.#table.send(new DeleteCommand({ TableName: this.#tableName, Key }));
    }
  }

  /** The lease that a dead process has left is over; nothing else becomes due. */
  letLeaseEnd(): Promise<void> {
    return this.#set(this.#key, { leaseExpiresAtMs: 1, lastPullAtMs: 0 }, 'attribute_exists(leaseOwner)');
  }

  /** The channel's life is nearly over: the next sweep opens another. */
  async letChannelAge(): Promise<void> {
    const [newest, ...older] = z.array(z.looseObject({})).parse((await this.row()).channels);
    await this.set({ channels: [{ ...newest, renewAtEpochSec: 1 }, ...older], refreshAt: 1 });
  }

  /** Ids of its channels, newest first; those on the logs of shared drives behind its own. */
  async channels(): Promise<string[]> {
    const rows = [await this.row(), ...(await this.#partition('LOG#'))];
    return rows.flatMap(({ channels }) => listOfChannels.parse(channels ?? []).map(({ id }) => id));
  }

  /** Ids of the shared drives whose logs it follows. */
  async drives(): Promise<string[]> {
    return (await this.#partition('LOG#')).map(({ driveId }) => String(driveId));
  }

  /** Every stored batch, through the route. */
  async batches(after = 0): Promise<ShownBatch[]> {
    const all: ShownBatch[] = [];
    for (let from = after; ; from = all.at(-1)?.sequence ?? from) {
      const answer = await this.#gateway.call(`/feeds/${this.id}/changes?after=${from}`);
      const page = changes.parse(await answer.json());
      all.push(...page.data);
      if (!page.has_more) return all;
    }
  }

  /** Batches as they lie in the table. */
  async storedBatches(): Promise<{ readonly sequence: number; readonly eventId: string }[]> {
    const rows = await this.#partition('BATCH#');
    return rows.map(({ sequence, eventId }) => ({ sequence: Number(sequence), eventId: String(eventId) }));
  }

  async #partition(prefix: string): Promise<readonly Row[]> {
    const { Items = [] } = await this.#table.send(
      new QueryCommand({
        TableName: this.#tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: { ':pk': this.#key.pk, ':prefix': prefix },
        ConsistentRead: true,
      }),
    );
    return Items;
  }

  /**
   * The consumer reads on, by the three rules of docs/changes.md: list once when the feed has its place, apply batches in
   * order, list again at a gap.
   *
   * @throws AssertionError where a batch is missing
   */
  async read(): Promise<void> {
    if (this.#done === undefined) {
      if ((await this.show()).state === 'starting') return;
      this.#done = 0;
      await this.#listAll();
    }
    for (const batch of await this.batches(this.#done)) {
      assert.equal(batch.sequence, this.#done + 1, `I14: a batch of ${this.id} is missing`);
      if (batch.kind === 'gap') await this.#listAll();
      // A shared drive that is joined, and a folder that comes, have files that nobody reports.
      if (batch.changes.some(({ kind, subtree }) => kind === 'drive' || subtree)) await this.#listAll();
      for (const { id, kind } of batch.changes) {
        if (kind === 'drive') continue;
        const name = await this.owner.look(this.resource, id);
        if (name === undefined) this.copy.delete(id);
        else this.copy.set(id, name);
      }
      this.#done = batch.sequence;
    }
  }

  async #listAll(): Promise<void> {
    this.copy.clear();
    for (const [id, name] of await this.owner.list(this.resource)) this.copy.set(id, name);
  }

  get #table() {
    return tableClient(this.#gateway);
  }

  get #tableName() {
    return this.#gateway.gateway.tableName;
  }

  get #key() {
    return { pk: `FEED#default#${this.id}`, sk: 'FEED' };
  }

  get #markKey() {
    return { pk: `FEEDMARK#default#${this.id}`, sk: 'MARK' };
  }

  /** Does nothing where the condition does not hold. */
  async #set(key: { pk: string; sk: string }, attributes: Row, condition: string): Promise<void> {
    await changeItem(this.#gateway, key, attributes, condition).catch((error: unknown) => {
      if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
    });
  }
}
