import * as z from 'zod';
import { DESCRIBED_MESSAGES } from '../../features/described-messages.ts';
import { LIFECYCLE_EVENT_TYPES } from '../events/lifecycle-event.rules.ts';
import { EVENTS, wholeExample } from './event-catalog.ts';
import type { DescribedEvent } from './event-parts.ts';
import type { Components, Json } from './json-schema.ts';

/** The group of the messages: generators make one class of each group, so it is not that of the routes below /webhooks. */
export const MESSAGES_TAG = { name: 'Webhook messages', description: 'What the gateway posts to your endpoints.' };

/** Name of the schema of a type's message. */
export function messageName(type: string): string {
  return type.includes('.')
    ? type.replaceAll(/(?:^|\.)(.)/g, (_all, letter: string) => letter.toUpperCase())
    : `${type}Event`;
}

/** The message of an event as it is sent to an endpoint; its `data` is the detail on the bus. */
export function messageSchema(type: string, { when, data }: Pick<DescribedEvent, 'when' | 'data'>): z.ZodObject {
  return z
    .object({
      type: z.literal(type),
      timestamp: z.string().meta({ format: 'date-time', description: 'When it happened, ISO 8601 in UTC.' }),
      data,
    })
    .meta({ description: when });
}

/** An example of a type's message. */
export function messageExample(type: string, row: Pick<DescribedEvent, 'data' | 'example'>): Json {
  const described = LIFECYCLE_EVENT_TYPES.find((one) => one === type);
  const data = wholeExample(described, row);
  return { type, timestamp: data.time, data };
}

/** Member of the document with the messages (OpenAPI 3.1.0, "OpenAPI Object"). */
export const MESSAGES_MEMBER = 'webhooks';

/** What `webhooks` of the document refers to (OpenAPI 3.1.0, "Path Item Object"): an operation for each type of message. Also declares the union of all messages. */
export function messagesOf(components: Components): Json {
  const rows = Object.entries({ ...EVENTS(), ...DESCRIBED_MESSAGES() });
  const references = rows.map(([type, row]) => ({
    type,
    row,
    schema: components.named(messageName(type), messageSchema(type, row), 'output'),
  }));
  components.declared('WebhookEvent', {
    description:
      'A message to an endpoint. Later versions may send further types and members: answer those that you do not know with 2xx.',
    oneOf: references.map(({ schema }) => schema),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(references.map(({ type, schema }) => [type, schema.$ref])),
    },
  });
  return Object.fromEntries(
    references.map(({ type, row, schema }) => [type, { post: operationOf(type, row, schema) }]),
  );
}

function operationOf(type: string, row: Omit<DescribedEvent, 'audience' | 'tone' | 'readBy'>, schema: Json): Json {
  return {
    operationId: `on${messageName(type)}`,
    tags: [MESSAGES_TAG.name],
    summary: row.title,
    description: row.when,
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: messageExample(type, row) } },
    },
    responses: {
      '2XX': { description: 'Received. Anything else, and no answer within ten seconds, is tried again.' },
      '410': { description: 'Gone: nothing more is sent.' },
    },
    security: [],
  };
}

const HEADERS: readonly Json[] = [
  { name: 'webhook-id', description: 'Id of the event: drop what you have had.' },
  { name: 'webhook-timestamp', description: 'Seconds since 1970 at this attempt.' },
  {
    name: 'webhook-signature',
    description:
      '`v1,` and the signature; two of them, with a blank between, for a day after a rotation of the secret.',
  },
].map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } }));
