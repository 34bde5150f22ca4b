/** Parts of the rows of the event catalogue. */
import * as z from 'zod';
import { CONNECTION, INTEGRATION } from './sample.ts';

/**
 * The audience of an event. `app`: an app may act on it. `audit`: a record of who did what. `operator`: about the gateway itself; only
 * on the bus and at webhooks that name its type (`OPERATOR_EVENT_TYPES`).
 */
export type EventAudience = 'app' | 'audit' | 'operator';

/** Description of a type of event. */
export interface DescribedEvent {
  readonly audience: EventAudience;
  /** In the dashboard: a few words, and how they are shown. */
  readonly title: string;
  readonly tone: 'success' | 'error' | 'warning' | 'info';
  /** Its source on the bus. @default EVENT_SOURCE */
  readonly source?: string;
  /** When it happens: a sentence. */
  readonly when: string;
  /** Its readers and their purpose, as a sentence. */
  readonly readBy: string;
  /** Its members: the detail on the bus, `data` of its webhook. All are texts. */
  readonly data: z.ZodObject;
  /** Members and values of one that happened. */
  readonly example: Readonly<Record<string, string>>;
}

/** A member with free text. */
export const text = (description: string) => z.string().meta({ description });

export const actor = (description: string) =>
  text(`${description}: \`key:…\`, \`iam:…\`, \`operator:…\` or \`session:…\`.`);
export const endUser = () => text('Your id of the end user, if the connection has one.').optional();

export const SEQUENCE = {
  connection: 'Number of this event among those that changed the connection, counting up by one.',
  integration: 'Number of this event among those that changed the integration, counting up by one.',
  none: '`0`: nothing that is numbered has changed.',
};

/** Members that every event has. */
export const everyEvent = (sequence: string) => ({
  event_id: text(
    'Id of the event, a ULID: the same in every attempt, replay and list, and in the header `webhook-id`.',
  ),
  sequence: z.string().regex(/^\d+$/).meta({ description: sequence }),
  time: z.string().meta({ format: 'date-time', description: 'When it happened, ISO 8601 in UTC.' }),
  account_id: text('The account, `default` unless you have several.'),
});
export const ofIntegration = () => ({
  integration_id: text('Id of the integration (`provider_config_key` in the API).'),
});
export const ofConnection = () => ({ ...ofIntegration(), connection_id: text('Id of the connection.') });

export type Members = Readonly<Record<string, z.ZodType>>;

export const aboutConnection = (own: Members, sequence = SEQUENCE.connection) =>
  z.object({ ...everyEvent(sequence), ...ofConnection(), end_user_id: endUser(), ...own });

export const CONNECTION_EXAMPLE = { integration_id: INTEGRATION, connection_id: CONNECTION, end_user_id: 'user-42' };
export const OPERATOR_ACTOR = 'operator:8c1f2f0e-6a0d-4d53-9a53-5a6f7c1f2b3a';

export const aboutAccount = (own: Members) => z.object({ ...everyEvent(SEQUENCE.none), ...own });

/** A member with a fixed list of values. Generators of clients read the meanings as a list in the order of the values. */
export function word<Words extends Readonly<Record<string, string>>>(description: string, words: Words) {
  return z.enum(Object.keys(words)).meta({ description, 'x-enum-descriptions': Object.values(words) });
}

/** What to do about what happened. */
export const remedy = (description = 'What to do about it, in sentences for people.') => text(description);

/** A copy of another member, kept for earlier versions. */
export const formerly = (name: string, form = '') =>
  z
    .string()
    .optional()
    .meta({ deprecated: true, description: `Deprecated, gone in 0.4.0: read \`${name}\`${form}.` });
