import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { jsonRequest, type TestGateway } from '../../support/gateway.ts';
import { changeItem, tableClient } from '../../support/table.ts';
import type { ReceivedMessage, WebhookReceiver } from '../../support/webhook-receiver.ts';

const made = z.object({ data: z.looseObject({ id: z.string(), secret: z.string() }) });

/** A delivery as it lies in the table. */
export interface StoredDelivery {
  readonly eventId: string;
  readonly eventType: string;
  readonly state: string;
  readonly tries: number;
}

/** An endpoint of webhooks under test, at a path of its own of the world's receiver. */
export class Endpoint {
  readonly id: string;
  readonly path: string;
  readonly secret: string;
  readonly types: readonly string[];
  /** Events on the bus before it was enabled are none of its own. */
  readonly eventsFrom: number;
  readonly #gateway: TestGateway;
  readonly #receiver: WebhookReceiver;

  private constructor(
    gateway: TestGateway,
    receiver: WebhookReceiver,
    about: Pick<Endpoint, 'id' | 'path' | 'secret' | 'types' | 'eventsFrom'>,
  ) {
    this.#gateway = gateway;
    this.#receiver = receiver;
    this.id = about.id;
    this.path = about.path;
    this.secret = about.secret;
    this.types = about.types;
    this.eventsFrom = about.eventsFrom;
  }

  /** Registers it and lets it prove itself. @throws Error when the gateway refuses */
  static async make(
    gateway: TestGateway,
    receiver: WebhookReceiver,
    path: string,
    types: readonly string[],
  ): Promise<Endpoint> {
    const answer = await gateway.call('/webhooks', jsonRequest('POST', { url: receiver.address + path, types }));
    if (answer.status !== 201) throw new Error(`No webhook: ${answer.status} ${await answer.text()}`);
    const { id, secret } = made.parse(await answer.json()).data;
    const enabled = await gateway.call(`/webhooks/${id}/enable`, { method: 'POST' });
    if (enabled.status !== 200) throw new Error(`Not enabled: ${await enabled.text()}`);
    return new Endpoint(gateway, receiver, { id, path, secret, types, eventsFrom: gateway.gateway.events.length });
  }

  /** Messages of events that arrived, whatever they were answered. */
  messages(eventId?: string): ReceivedMessage[] {
    return this.#receiver.messages.filter(
      ({ path, headers, body }) =>
        path === this.path &&
        !body.includes('"type":"endpoint.test"') &&
        (eventId === undefined || headers['webhook-id'] === eventId),
    );
  }

  async deliveries(): Promise<StoredDelivery[]> {
    const found: StoredDelivery[] = [];
    const pages = paginateQuery(
      { client: tableClient(this.#gateway) },
      {
        TableName: this.#gateway.gateway.tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :deliveries)',
        ExpressionAttributeValues: { ':pk': this.#pk, ':deliveries': 'DELIVERY#' },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) {
      for (const { eventId, eventType, state, tries } of Items) {
        if (eventType === 'endpoint.test') continue;
        found.push({ eventId, eventType, state, tries });
      }
    }
    return found;
  }

  /** The endpoint's rest is over, and whatever is to be sent is due: claims of dead processes, too. */
  async letTimePass(): Promise<void> {
    await changeItem(this.#gateway, { pk: 'ACCOUNT#default', sk: `WEBHOOK#${this.id}` }, { restUntilEpochSec: 1 });
    for (const { eventId, state } of await this.deliveries()) {
      if (state === 'pending')
        await changeItem(this.#gateway, { pk: this.#pk, sk: `DELIVERY#${eventId}` }, { refreshAt: 1 });
    }
  }

  async delete(): Promise<void> {
    await this.#gateway.call(`/webhooks/${this.id}`, { method: 'DELETE' });
  }

  get #pk() {
    return `WEBHOOK#default#${this.id}`;
  }
}
