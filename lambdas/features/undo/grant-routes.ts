import * as z from 'zod';
import { findConnection } from '../../gateway/connections/find-connection.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { timeOfUlid } from '../../gateway/core/identifiers.ts';
import { count, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { CONNECTION, INTEGRATION } from '../../gateway/openapi/sample.ts';
import { IRREVERSIBLE_REASONS, type ObjectRef } from '../../gateway/providers/inverse.rules.ts';
import { openCursor, sealCursor } from '../../management/list-page.ts';
import { grantRoute, type Route } from '../../management/route.ts';
import { connectionId, integerParam, integrationId, rowCursor } from '../../management/schemas/common.ts';
import type { GrantServices } from '../../management/services.ts';
import { JOURNAL_LIST_DEFAULT, JOURNAL_RETENTION_SEC, UNDO_ROWS_MAX } from './limits.rules.ts';
import { listWrites, type Write } from './list-writes.ts';
import type { JournalRange, JournalRow } from './ports.ts';
import { type UndoServices, undoServices } from './services.ts';
import type { Conflict, ReportedWrite, UndoPosition } from './undo-changes.ts';

const tag = 'Undo';

const TIME_RULE = 'send a time such as 2026-03-01T12:00:00Z';
const KEY_RULE = 'send the id of a secret key, or its first 12 characters';
const WHOSE_RULE = 'send key_id, or provider_config_key and connection_id';
const LIST_MAX = 200;
const KEPT_DAYS = JOURNAL_RETENTION_SEC / 86_400;

const moment = z
  .string({ error: TIME_RULE })
  .pipe(z.iso.datetime({ offset: true, error: TIME_RULE }))
  .transform((text) => Date.parse(text));
const keyId = z
  .string({ error: KEY_RULE })
  .regex(/^[0-9a-f]{12,64}$/, KEY_RULE)
  .transform((id) => id.slice(0, 12))
  .meta({ description: 'Id of a secret key, or its first 12 characters: its writes on every connection.' });

const whose = {
  key_id: keyId.optional(),
  provider_config_key: integrationId.optional(),
  connection_id: connectionId.optional(),
};

interface Whose {
  readonly key_id?: string | undefined;
  readonly provider_config_key?: string | undefined;
  readonly connection_id?: string | undefined;
}

/** Requires exactly one of key and connection. */
function namesOne({ key_id, provider_config_key, connection_id }: Whose): boolean {
  const isConnection = provider_config_key !== undefined && connection_id !== undefined;
  return key_id === undefined ? isConnection : provider_config_key === undefined && connection_id === undefined;
}

function namesNone({ key_id, provider_config_key, connection_id }: Whose): boolean {
  return [key_id, provider_config_key, connection_id].every((one) => one === undefined);
}

function rangeOf(
  accountId: string,
  { key_id, provider_config_key = '', connection_id = '' }: Whose,
): JournalRange['of'] {
  return key_id === undefined
    ? { accountId, integrationId: provider_config_key, connectionId: connection_id }
    : { accountId, keyId: key_id };
}

/** Query of `GET /journal`. */
const journalQuery = z
  .strictObject({
    ...whose,
    object_id: z.string().min(1).max(1_024).optional().meta({
      description:
        'Only writes on this file, event, calendar or other object, by its id at the provider; without a key or connection, of every key of the account.',
    }),
    since: moment.optional(),
    until: moment.optional().meta({ description: 'Only writes before this time.' }),
    limit: integerParam(1, LIST_MAX).optional(),
    cursor: rowCursor,
  })
  .refine((query) => namesOne(query) || (query.object_id !== undefined && namesNone(query)), {
    path: ['key_id'],
    error: `${WHOSE_RULE}; with object_id, neither means every key`,
  });

/** Body of `POST /undo`. */
const undoBody = z
  .strictObject({
    ...whose,
    since: moment.optional().meta({ description: 'The first writes to undo.' }),
    write_id: z
      .string()
      .regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, 'send the id of a write, as GET /journal lists it')
      .optional()
      .meta({ description: 'Only this write, instead of since and until.' }),
    until: moment.optional().meta({ description: 'Only writes before this time; absent: all until now.' }),
    dry_run: z.boolean().optional().meta({ description: 'Look and compare, and change nothing.' }),
    cursor: z
      .string()
      .min(1)
      .max(20_000)
      .regex(/^[A-Za-z0-9_.-]+$/)
      .optional()
      .meta({ description: '`next_cursor` of the previous response, with the same other members.' }),
  })
  .refine(namesOne, { path: ['key_id'], error: WHOSE_RULE })
  .refine(({ since, until, write_id }) => (write_id === undefined ? since !== undefined : !since && !until), {
    path: ['since'],
    error: 'send either since or write_id',
  });

const REASONS = `Why it cannot be undone: ${IRREVERSIBLE_REASONS.join(', ')}.`;

const writeAnswer = documented(() =>
  z
    .object({
      id: z.string().meta({ description: 'Sorts by time.' }),
      time: time().meta({ description: 'Just before the write was sent.' }),
      provider_config_key: z.string(),
      connection_id: z.string(),
      key_id: z
        .string()
        .meta({ description: 'First 12 characters of the secret key’s id; undo for what an undo wrote itself.' }),
      request_id: z.string(),
      method: z.string().nullable().meta({
        description:
          'The provider’s id of the method, or tools/ and the tool of its MCP server; null if the request is none.',
      }),
      object: z
        .object({
          kind: z.string().meta({ description: 'Such as drive.file or calendar.event.' }),
          ids: z.array(z.string()).meta({ description: 'Ids of its path, outermost first.' }),
        })
        .nullable()
        .meta({ description: 'What was written; null if that is not known.' }),
    })
    .meta({
      id: 'JournalledWrite',
      description: 'A write of a journalled key, without names, texts and other contents.',
    }),
);

/** A write of an undo. */
const undoneWrite = documented(() =>
  writeAnswer()
    .extend({
      changes: z
        .array(
          z.object({
            member: z.string(),
            before: z.string().nullable().meta({ description: 'null: it was not there.' }),
            after: z.string().nullable(),
          }),
        )
        .nullable()
        .optional()
        .meta({
          description:
            'Only with dry_run and write_id: what the write changed, by member; values that are no texts as JSON, long ones cut. null: the journal does not know it.',
        }),
    })
    .meta({ id: 'UndoneWrite' }),
);

const journalRow = documented(() =>
  writeAnswer()
    .extend({
      outcome: z
        .enum(['begun', 'done', 'refused', 'unknown'])
        .meta({ description: 'refused: the provider changed nothing; begun and unknown: its answer was not seen.' }),
      not_undoable: z
        .string()
        .nullable()
        .meta({ description: `${REASONS} null: it can be.` }),
      undone_at: time().nullable(),
      undoes: z.string().nullable().meta({ description: 'Of what an undo wrote: the row that it undid.' }),
    })
    .meta({ id: 'JournalRow' }),
);

const undoAnswer = documented(() =>
  z.object({
    data: z
      .object({
        undone: z.array(undoneWrite()).meta({ description: 'Newest first; of a dry run what would be undone.' }),
        conflicts: z
          .array(
            undoneWrite()
              .extend({
                now: z.object({
                  exists: z.boolean(),
                  version: z.string().nullable().meta({ description: 'The provider’s version or etag of it.' }),
                  differs: z.array(z.string()).meta({
                    description: 'Members that are otherwise than the write left them; empty if only the version is.',
                  }),
                }),
              })
              .meta({ id: 'UndoConflict' }),
          )
          .meta({ description: 'Writes on objects that somebody else has changed since. These were left alone.' }),
        not_undoable: z.array(
          undoneWrite()
            .extend({ reason: z.string().meta({ description: REASONS }) })
            .meta({ id: 'NotUndoable' }),
        ),
        next_cursor: z
          .string()
          .nullable()
          .meta({ description: 'Send it as cursor to continue; null: the range is done.' }),
      })
      .meta({ id: 'UndoReport' }),
  }),
);

const WRITE = {
  id: '01KJ0000000000000000000001',
  time: '2026-03-01T10:00:00.000Z',
  provider_config_key: INTEGRATION,
  connection_id: CONNECTION,
  key_id: 'f3a1c5d2e4b6',
  request_id: '6f1c1b1e-6c1a-4a0e-9f0e-0d8b7a5c3f21',
  method: 'drive.files.update',
  object: { kind: 'drive.file', ids: ['1AbCdEfGhIjKlMnOpQrStUvWxYz'] },
};

/** A write in the API's spelling. */
function writeOnTheWire(row: JournalRow, object: ObjectRef | undefined): AnswerOf<typeof writeAnswer> {
  return {
    id: row.rowId,
    time: new Date(timeOfUlid(row.rowId) ?? 0).toISOString(),
    provider_config_key: row.integrationId,
    connection_id: row.connectionId,
    key_id: row.keyId,
    request_id: row.requestId,
    method: row.method,
    object: object === undefined ? null : { kind: object.kind, ids: [...object.ids] },
  };
}

function rowOnTheWire({ row, object }: Write): AnswerOf<typeof journalRow> {
  return {
    ...writeOnTheWire(row, object),
    outcome: row.state,
    not_undoable: row.notUndoable ?? null,
    undone_at: row.undoneAt ?? null,
    undoes: row.undoes ?? null,
  };
}

function undoneOnTheWire({ row, object, changes }: ReportedWrite): AnswerOf<typeof undoneWrite> {
  return {
    ...writeOnTheWire(row, object),
    ...(changes === undefined ? {} : { changes: changes === null ? null : changes.map((one) => ({ ...one })) }),
  };
}

function conflictOnTheWire({ now, ...write }: Conflict) {
  return {
    ...undoneOnTheWire(write),
    now: { exists: now.exists, version: now.version ?? null, differs: [...now.differs] },
  };
}

async function positionOf({ cipher }: GrantServices, accountId: string, cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const position: UndoPosition = JSON.parse(await openCursor(cipher, accountId, 'undoCursor', cursor));
  return position;
}

/** The range that holds one row. @throws GatewayError `not_found` */
async function rangeOfOne({ journal }: Pick<UndoServices, 'journal'>, of: JournalRange['of'], only: string) {
  const fromMs = timeOfUlid(only) ?? 0;
  const range = { fromMs, untilMs: fromMs + 1 };
  const rows = await journal.page({ of, ...range }, UNDO_ROWS_MAX);
  if (rows.some(({ rowId }) => rowId === only)) return { ...range, only };
  throw new GatewayError('not_found', 'There is no such write of this key or connection, or it is kept no more.');
}

/** Writes of journalled keys, and undoing them. */
export const grantRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'GET',
    pattern: '/journal',
    access: { right: 'full', account: true },
    query: journalQuery,
    describe: documented(() => ({
      id: 'listJournal',
      tag,
      summary: 'List what journalled keys have written in the last seven days, newest first',
      description:
        'A key is journalled if its limits say so (journal), and the keys of assistants are unless that is switched off. The list names methods and objects and has no names, texts or other contents. What an undo wrote is in the list of the connection, with undoes. A page of one object (object_id) can be empty and have a next one.',
      answer: z
        .object({
          data: z.array(journalRow()),
          next_cursor: z.string().nullable().meta({ description: 'cursor of the next page.' }),
          kept_days: count().meta({ description: 'For how many days a write can be undone.' }),
        })
        .meta({ id: 'Journal' }),
      errors: ['unknown_connection', 'unknown_integration', 'confirmation_required'],
      example: {
        query: { provider_config_key: INTEGRATION, connection_id: CONNECTION },
        answer: {
          data: [{ ...WRITE, outcome: 'done' as const, not_undoable: null, undone_at: null, undoes: null }],
          next_cursor: null,
          kept_days: 7,
        },
      },
    })),
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      const of = namesNone(query) ? undefined : rangeOf(accountId, query);
      const connection =
        of === undefined || 'keyId' in of ? undefined : (await findConnection(services, of)).connection;
      const bornMs = connection === undefined ? 0 : Date.parse(connection.createdAt);
      const { writes, next } = await listWrites(
        { ...services, ...undoServices(services.forFeatures) },
        {
          accountId,
          of,
          objectId: query.object_id,
          fromMs: Math.max(query.since ?? 0, bornMs),
          untilMs: query.until ?? services.clock.nowMs() + 1000,
          before: query.cursor,
          limit: query.limit ?? JOURNAL_LIST_DEFAULT,
        },
      );
      return { data: writes.map(rowOnTheWire), next_cursor: next ?? null, kept_days: KEPT_DAYS };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: '/undo',
    access: { right: 'full', account: true, recentSignIn: true },
    body: undoBody,
    describe: documented(() => ({
      id: 'undoChanges',
      tag,
      summary: 'Undo what a journalled key wrote, or what all wrote on a connection, newest first',
      description: `write_id names one write. Each write is undone only if its object is still as the write left it; what somebody else has changed since is left alone and listed in conflicts. No mail is sent. One request works for some seconds and on at most ${UNDO_ROWS_MAX} writes; continue with next_cursor. A repeated request finishes the previous one and does nothing twice.`,
      answer: undoAnswer(),
      errors: [
        'unknown_connection',
        'unknown_integration',
        'confirmation_required',
        'reauthorization_required',
        'integration_credentials_rejected',
        'token_refresh_unavailable',
        'conflict',
        'not_found',
        'service_unavailable',
      ],
      example: {
        body: { key_id: 'f3a1c5d2e4b6', since: '2026-03-01T10:00:00Z', dry_run: true },
        answer: { data: { undone: [WRITE], conflicts: [], not_undoable: [], next_cursor: null } },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const { accountId } = caller;
      const of = rangeOf(accountId, body);
      const own = undoServices(services.forFeatures);
      const range =
        body.write_id === undefined
          ? { fromMs: body.since ?? 0, untilMs: body.until ?? services.clock.nowMs() + 1000 }
          : await rangeOfOne(own, of, body.write_id);
      const report = await own.undo(
        { ...services, ...own, counted: services.checks },
        {
          of,
          ...range,
          dryRun: body.dry_run ?? false,
          from: await positionOf(services, accountId, body.cursor),
        },
        { requestId, actor: caller.actor },
      );
      const { undone, conflicts, notUndoable, next } = report;
      return {
        data: {
          undone: undone.map(undoneOnTheWire),
          conflicts: conflicts.map(conflictOnTheWire),
          not_undoable: notUndoable.map(({ reason, ...write }) => ({ ...undoneOnTheWire(write), reason })),
          next_cursor:
            next === undefined
              ? null
              : await sealCursor(services.cipher, accountId, 'undoCursor', JSON.stringify(next)),
        },
      };
    },
  }),
];
