import * as z from 'zod';
import type { ReconnectBatch } from '../../gateway/authorization/ports.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { DEATH_CAUSES } from '../../gateway/core/grant-death.ts';
import {
  RECONNECT_LINK_LIFETIME_SEC,
  RECONNECT_LINKS_MAX,
  RECONNECT_MESSAGE_MAX_LENGTH,
} from '../../gateway/core/limits.ts';
import { LANGUAGE_IDS } from '../../gateway/languages/language.rules.ts';
import { nextCursor, success, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { CONNECTION, END_USER, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { type ActorNames, namesOfActorsFor } from '../audit/actor-names.ts';
import { reaches, requireReach } from '../authenticate.ts';
import { openCursor, sealCursor } from '../list-page.ts';
import { type Caller, isoTime, type Route, route } from '../route.ts';
import { connectionId, cursor, integrationId, SHOWN_TEXT, SHOWN_TEXT_RULE } from '../schemas/common.ts';
import type { Services } from '../services.ts';
import {
  createReconnectLinks,
  DEFAULT_LINK_LIFETIME_SEC,
  type FollowedLink,
  followLinks,
  revokeLinks,
  selectDead,
} from './reconnect-links.ts';

const { min, max } = RECONNECT_LINK_LIFETIME_SEC;
const LIFETIME_RULE = `a whole number of seconds from ${min} to ${max}, which is seven days`;

/** Body of `POST /connect/reconnect-links`. */
const newLinksBody = z
  .strictObject({
    connections: z
      .array(z.strictObject({ provider_config_key: integrationId, connection_id: connectionId }))
      .min(1, 'name at least one')
      .max(RECONNECT_LINKS_MAX, `names at most ${RECONNECT_LINKS_MAX}; send the others with another request`)
      .optional(),
    all_dead: z
      .strictObject({
        cause: z.enum(DEATH_CAUSES, { error: `must be one of ${DEATH_CAUSES.join(', ')}` }).optional(),
        provider_config_key: integrationId.optional(),
        cursor,
      })
      .optional(),
    lifetime_sec: z.int(LIFETIME_RULE).min(min, LIFETIME_RULE).max(max, LIFETIME_RULE).optional(),
    message: z
      .string()
      .max(RECONNECT_MESSAGE_MAX_LENGTH, `has at most ${RECONNECT_MESSAGE_MAX_LENGTH} characters`)
      // Line breaks are allowed, but no other characters that a mail program or a terminal would interpret.
      .refine((text) => SHOWN_TEXT.test(text.replaceAll('\n', '')), SHOWN_TEXT_RULE)
      .refine((text) => text.includes('{link}'), 'must hold {link}, which becomes the link')
      .optional(),
    language: z.enum(LANGUAGE_IDS, { error: `must be one of: ${LANGUAGE_IDS.join(', ')}` }).optional(),
  })
  .refine((body) => (body.connections === undefined) !== (body.all_dead === undefined), {
    path: ['connections'],
    message: 'send connections, or all_dead for all that need a new authorization',
  });

const endUserPart = documented(() =>
  z.object({ id: z.string(), display_name: z.string().nullable(), email: z.string().nullable() }).nullable(),
);

const batchParts = documented(() => ({
  id: z.string().meta({ description: 'The batch’s id.' }),
  created_at: time(),
  created_by: z.string().meta({ description: 'A key or an operator.' }),
  created_by_name: z.string().nullable().meta({
    description:
      'The key’s name or the operator’s e-mail address; null if unknown, and for keys that are limited to some integrations.',
  }),
  expires_at: time(),
  revoked_at: time().nullable(),
}));

const followedBatch = documented(() =>
  z
    .object({
      ...batchParts(),
      links: z.array(
        z.object({
          provider_config_key: z.string(),
          connection_id: z.string(),
          connection_name: z.string().meta({
            description:
              'Name, e-mail address or id of the end user, or the connection’s id where nothing else is known, or any longer.',
          }),
          end_user: endUserPart(),
          state: z.enum(['waiting', 'came_back', 'expired', 'revoked', 'deleted']).meta({
            description:
              'came_back: the user has given new consent since the link was created, through the link or in another way.',
          }),
          came_back_at: time().nullable(),
        }),
      ),
    })
    .meta({ id: 'ReconnectLinks' }),
);

const tag = 'Connect sessions';
const BATCH = '01JQ3V8Y5Z6R7S8T9V0W1X2Y3Z';
const BATCH_ANSWER = {
  id: BATCH,
  created_at: '2026-03-01T12:00:00.000Z',
  created_by: 'key:f3a1c5d2e4b6',
  created_by_name: 'Backend',
  expires_at: '2026-03-08T12:00:00.000Z',
  revoked_at: null,
};
const FOLLOWED = {
  ...BATCH_ANSWER,
  links: [
    {
      provider_config_key: INTEGRATION,
      connection_id: CONNECTION,
      connection_name: 'First User',
      end_user: END_USER,
      state: 'waiting',
      came_back_at: null,
    },
  ],
};

function batchOnTheWire(batch: ReconnectBatch, names: ActorNames) {
  return {
    id: batch.batchId,
    created_at: batch.createdAt,
    created_by: batch.createdBy,
    created_by_name: names.get(batch.createdBy) ?? null,
    expires_at: isoTime(batch.endsAtEpochSec),
    revoked_at: batch.revokedAt ?? null,
  };
}

function endUserOnTheWire(endUser: FollowedLink['endUser']) {
  return endUser === undefined ? null : { id: endUser.id, display_name: endUser.displayName, email: endUser.email };
}

/** The part of a batch within the caller's integrations; undefined without any. */
function reachedBatch(caller: Caller, batch: ReconnectBatch | undefined): ReconnectBatch | undefined {
  const links = batch?.links.filter(({ integrationId }) => reaches(caller, integrationId)) ?? [];
  if (batch === undefined || links.length === 0) return undefined;
  // Of the part that the caller sees: another part may still be valid.
  const times = links.map((link) => link.revokedAt ?? batch.revokedAt);
  const last = times.reduce((a, b) => (a === undefined || b === undefined ? undefined : a > b ? a : b));
  return { ...batch, links, revokedAt: last };
}

async function followed(services: Services, batch: ReconnectBatch, names: ActorNames) {
  const links = await followLinks(services, batch);
  return {
    ...batchOnTheWire(batch, names),
    links: links.map((link) => ({
      provider_config_key: link.integrationId,
      connection_id: link.connectionId,
      connection_name: link.name,
      end_user: endUserOnTheWire(link.endUser),
      state: link.state,
      came_back_at: link.cameBackAt ?? null,
    })),
  };
}

async function findBatch(services: Services, caller: Caller, batchId: string): Promise<ReconnectBatch> {
  const batch = reachedBatch(caller, await services.reconnectBatches.read(caller.accountId, batchId));
  if (batch === undefined) throw new GatewayError('not_found', 'There are no reconnect links with this id.');
  return batch;
}

/** Batches in the list, because the connections of each are read. */
const LISTED_MAX = 20;

/** Reconnect links in bulk: created for sending, followed up, withdrawn. */
export const reconnectLinkRoutes: readonly Route[] = [
  route({
    method: 'POST',
    pattern: '/connect/reconnect-links',
    access: { right: 'full' },
    creates: true,
    status: 201,
    body: newLinksBody,
    describe: documented(() => ({
      id: 'createReconnectLinks',
      tag,
      summary: 'Create reconnect links for many connections, to be sent to their end users',
      description:
        'Each link works once, only for the Google account of its connection, and is shown only this once. Connections that cannot have a link are listed in refused with a reason; the others get theirs. Each comes with a message, in the language in which its end user read the pages when they connected: in the gateway’s own words, or in those of message, which may contain {link}, {name}, {integration} and {expires}; {integration} becomes the name that readers of that language see. language is for end users whose language is not known, such as those of imported connections; without it their message is in English and the page in the language of their browser. all_dead selects the next 100 connections that need a new authorization; continue with its next_cursor.',
      answer: z.object({
        data: z
          .object({
            ...batchParts(),
            links: z.array(
              z.object({
                provider_config_key: z.string(),
                connection_id: z.string(),
                end_user: endUserPart(),
                provider_email: z.string().nullable(),
                connect_link: z.string(),
                language: z.enum(LANGUAGE_IDS).nullable().meta({
                  description:
                    'Of the subject, of the names in the message, and of the message where none was sent; null where the end user’s is not known and none was named, which means English.',
                }),
                subject: z.string().meta({ description: 'For an e-mail with the message.' }),
                message: z.string().nullable().meta({ description: 'To be sent to the end user; never null.' }),
              }),
            ),
            refused: z.array(
              z.object({ provider_config_key: z.string(), connection_id: z.string(), reason: z.string() }),
            ),
            next_cursor: nextCursor(),
          })
          .meta({ id: 'CreatedReconnectLinks' }),
      }),
      errors: ['rate_limited'],
      example: {
        body: {
          all_dead: { cause: 'testing_mode_expired' },
          lifetime_sec: max,
          message: 'Dear {name}, please allow access to {integration} again: {link} (until {expires})',
        },
        answer: {
          data: {
            ...BATCH_ANSWER,
            links: [
              {
                provider_config_key: INTEGRATION,
                connection_id: CONNECTION,
                end_user: END_USER,
                provider_email: END_USER.email,
                connect_link: 'https://gateway.example.com/v1/connect?language=en#session_token=cs_example',
                language: 'en',
                subject: 'Please reconnect Google Drive',
                message:
                  'Dear First User, please allow access to Google Drive again: https://gateway.example.com/v1/connect?language=en#session_token=cs_example (until 2026-03-08 12:00 UTC)',
              },
            ],
            refused: [],
            next_cursor: null,
          },
        },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const { accountId, actor } = caller;
      for (const one of body.connections ?? []) requireReach(caller, one.provider_config_key);
      const all = body.all_dead;
      if (all?.provider_config_key !== undefined) requireReach(caller, all.provider_config_key);
      const chosen = all?.provider_config_key === undefined ? caller.integrationIds : [all.provider_config_key];
      const position =
        all?.cursor === undefined
          ? undefined
          : await openCursor(services.cipher, accountId, 'connectionListCursor', all.cursor);
      const filter = {
        ...(all?.cause === undefined ? {} : { cause: all.cause }),
        ...(chosen === undefined ? {} : { integrationIds: chosen }),
      };
      const { refs, next } =
        body.connections === undefined
          ? await selectDead(services.connections, accountId, filter, position)
          : {
              refs: body.connections.map((one) => ({
                accountId,
                integrationId: one.provider_config_key,
                connectionId: one.connection_id,
              })),
              next: undefined,
            };
      const { batch, links, refused } = await createReconnectLinks(services, {
        accountId,
        refs,
        lifetimeSec: body.lifetime_sec ?? DEFAULT_LINK_LIFETIME_SEC,
        message: body.message,
        language: body.language,
        requestId,
        actor,
      });
      return {
        data: {
          ...batchOnTheWire(batch, await namesOfActorsFor(caller, services)),
          links: links.map((one) => ({
            provider_config_key: one.integrationId,
            connection_id: one.connectionId,
            end_user: endUserOnTheWire(one.endUser),
            provider_email: one.providerEmail ?? null,
            connect_link: one.link,
            language: one.language ?? null,
            subject: one.subject,
            message: one.message,
          })),
          refused: refused.map((one) => ({
            provider_config_key: one.integrationId,
            connection_id: one.connectionId,
            reason: one.reason,
          })),
          next_cursor:
            next === undefined ? null : await sealCursor(services.cipher, accountId, 'connectionListCursor', next),
        },
      };
    },
  }),
  route({
    method: 'GET',
    pattern: '/connect/reconnect-links',
    access: { right: 'read' },
    describe: documented(() => ({
      id: 'listReconnectLinks',
      tag,
      summary: 'List the latest batches of reconnect links, and how many users came back',
      description: `The newest ${LISTED_MAX} batches. Results are kept for 90 days.`,
      answer: z.object({
        data: z.array(z.object({ ...batchParts(), links: z.int(), came_back: z.int() })),
      }),
      errors: [],
      example: { answer: { data: [{ ...BATCH_ANSWER, links: 12, came_back: 7 }] } },
    })),
    async handle({ caller }, services) {
      const batches = await services.reconnectBatches.list(caller.accountId, LISTED_MAX);
      const reached = batches.flatMap((batch) => reachedBatch(caller, batch) ?? []);
      const names = await namesOfActorsFor(caller, services);
      const data = [];
      for (const batch of reached) {
        const links = await followLinks(services, batch);
        const cameBack = links.filter(({ state }) => state === 'came_back').length;
        data.push({ ...batchOnTheWire(batch, names), links: links.length, came_back: cameBack });
      }
      return { data };
    },
  }),
  route({
    method: 'GET',
    pattern: '/connect/reconnect-links/{batchId}',
    access: { right: 'read' },
    describe: documented(() => ({
      id: 'getReconnectLinks',
      tag,
      summary: 'Get what became of each reconnect link of a batch',
      answer: z.object({ data: followedBatch() }),
      errors: ['not_found'],
      example: { params: { batchId: BATCH }, answer: { data: FOLLOWED } },
    })),
    async handle({ caller, params }, services) {
      const batch = await findBatch(services, caller, params.batchId ?? '');
      return { data: await followed(services, batch, await namesOfActorsFor(caller, services)) };
    },
  }),
  route({
    method: 'DELETE',
    pattern: '/connect/reconnect-links/{batchId}',
    access: { right: 'full' },
    describe: documented(() => ({
      id: 'revokeReconnectLinks',
      tag,
      summary: 'Withdraw a batch of reconnect links: none of them works from then on',
      description:
        'A key that is limited to some integrations withdraws only the links of those; the others still work.',
      answer: success(),
      errors: ['not_found'],
      example: { params: { batchId: BATCH }, answer: { success: true } },
    })),
    async handle({ caller, params }, services) {
      await revokeLinks(services, await findBatch(services, caller, params.batchId ?? ''));
      return { success: true as const };
    },
  }),
];
