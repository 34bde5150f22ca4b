import {
  fieldsList,
  fieldsOf,
  isFields,
  number,
  optionalText,
  text,
  textList,
  type Unread,
} from '../../http/fields.ts';
import type { ConnectionRef } from '../../http/headers.ts';
import type { CallOptions, Manage } from '../../management/manage.ts';
import type * as wire from '../../management/wire.ts';

/** Selects writes: those of one journalled key on every connection, or those of all keys on one connection. */
export type WritesOf = { readonly keyId: string } | ConnectionRef;

/** Selects all keys' writes on one file, event or other object, by its id at the provider. */
export interface WritesOn {
  readonly objectId: string;
}

/** A write of a journalled key, without names, texts and other contents. Times are ISO 8601 UTC. */
export interface JournalledWrite extends ConnectionRef {
  /** Sorts by time. */
  readonly id: string;
  /** Just before the write was sent. */
  readonly time: string;
  /** First 12 characters of the secret key's id; `undo` for what an undo wrote itself. */
  readonly keyId: string;
  readonly requestId: string;
  /** The provider's id of the method; undefined where the request is none. */
  readonly method: string | undefined;
  /** The written object, such as `drive.file` and its id; undefined where unknown. */
  readonly object: { readonly kind: string; readonly ids: readonly string[] } | undefined;
}

/** A row of the journal. */
/** A member that a write changed; undefined where it was not there. */
export interface WrittenChange {
  readonly member: string;
  /** Texts as they are, other values as JSON, long ones cut. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A write of an undo. */
export interface UndoneWrite extends JournalledWrite {
  /** In a dry run of one write: what it changed; null where the journal does not know it. */
  readonly changes?: readonly WrittenChange[] | null;
}

export interface JournalRow extends JournalledWrite {
  /** `refused`: the provider changed nothing; `begun`, `unknown`: its answer was not seen. */
  readonly outcome: string;
  /** Why it cannot be undone; undefined = it can be. */
  readonly notUndoable: string | undefined;
  readonly undoneAt: string | undefined;
  /** Of what an undo wrote: the row that it undid. */
  readonly undoes: string | undefined;
}

/** One page of the journal, newest first. */
export interface JournalPage {
  readonly rows: readonly JournalRow[];
  /** `cursor` of the next page. */
  readonly nextCursor: string | undefined;
  /** For how many days a write can be undone. */
  readonly keptDays: number;
}

/** A write that was not undone because its object has been changed since. */
export interface UndoConflict extends UndoneWrite {
  readonly now: {
    readonly exists: boolean;
    /** The provider's version or etag of it. */
    readonly version: string | undefined;
    /** Members that are otherwise than the write left them; empty if only the version is. */
    readonly differs: readonly string[];
  };
}

/** The outcome of an undo; for a dry run, the expected one. */
export interface UndoReport {
  /** Newest first. */
  readonly undone: readonly UndoneWrite[];
  readonly conflicts: readonly UndoConflict[];
  readonly notUndoable: readonly (UndoneWrite & { readonly reason: string })[];
}

/** A part of an undo. */
export interface UndoStep extends UndoReport {
  /** `cursor` of the next request; undefined = the range is done. */
  readonly nextCursor: string | undefined;
}

/** Which writes are to be undone. */
export type UndoRange = (
  | {
      /** ISO 8601: the first writes to undo. */
      since: string;
      /** ISO 8601: only writes before. @default until now */
      until?: string;
    }
  | {
      /** Id of the one write to undo. */
      writeId: string;
    }
) & {
  /** Look and compare, and change nothing. @default false */
  dryRun?: boolean;
};

/**
 * Writes of journalled keys, and undoing them; for keys with the right `full` that are not limited to some integrations.
 *
 * @throws (every method) GatewayError, NetworkError, TimeoutError, UnexpectedAnswerError
 */
export class Journal {
  readonly #manage: Manage;

  constructor(manage: Manage) {
    this.#manage = manage;
  }

  /**
   * Writes of the last seven days, newest first. A page of one object can be empty and have a next one.
   *
   * @example
   * const { rows } = await client.journal.list({ keyId: 'f3a1c5d2e4b6' });
   */
  async list(
    of: WritesOf | WritesOn,
    filter: { objectId?: string; since?: string; until?: string; limit?: number; cursor?: string } = {},
    options?: CallOptions,
  ): Promise<JournalPage> {
    const { objectId = 'objectId' in of ? of.objectId : undefined, ...range } = filter;
    const query = { ...('objectId' in of ? {} : whose(of)), object_id: objectId, ...range };
    const answer = await this.#manage('listJournal', { query, options });
    return {
      rows: fieldsList(answer.data, 'data').map((one) => ({
        ...readWrite(one),
        outcome: text(one, 'outcome'),
        notUndoable: optionalText(one, 'not_undoable'),
        undoneAt: optionalText(one, 'undone_at'),
        undoes: optionalText(one, 'undoes'),
      })),
      nextCursor: optionalText(answer, 'next_cursor'),
      keptDays: number(answer, 'kept_days'),
    };
  }

  /**
   * Undoes a range to its end, in as many requests as that takes. It sends no mail, and undoes only writes whose objects were not
   * changed since.
   *
   * @example
   * const planned = await client.journal.undo({ keyId: 'f3a1c5d2e4b6' }, { since: '2026-03-01T10:00:00Z', dryRun: true });
   */
  async undo(of: WritesOf, range: UndoRange, options?: CallOptions): Promise<UndoReport> {
    const steps: UndoStep[] = [];
    let cursor: string | undefined;
    do {
      const step = await this.undoSome(of, { ...range, ...(cursor === undefined ? {} : { cursor }) }, options);
      steps.push(step);
      cursor = step.nextCursor;
    } while (cursor !== undefined);
    return {
      undone: steps.flatMap(({ undone }) => undone),
      conflicts: steps.flatMap(({ conflicts }) => conflicts),
      notUndoable: steps.flatMap(({ notUndoable }) => notUndoable),
    };
  }

  /**
   * One request of an undo: some seconds of work.
   *
   * @param range with `cursor`, the `nextCursor` of the step before
   *
   * @example
   * const { nextCursor } = await client.journal.undoSome(connection, { since: '2026-03-01T10:00:00Z' });
   */
  async undoSome(of: WritesOf, range: UndoRange & { cursor?: string }, options?: CallOptions): Promise<UndoStep> {
    const { since, until, writeId, dryRun, cursor }: EveryRange = range;
    const body = { ...whose(of), since, until, write_id: writeId, dry_run: dryRun, cursor };
    const fields = fieldsOf((await this.#manage('undoChanges', { body, options })).data, 'data');
    return {
      undone: fieldsList(fields.undone, 'undone').map(readUndone),
      conflicts: fieldsList(fields.conflicts, 'conflicts').map((one) => {
        const now = fieldsOf(one.now, 'now');
        return {
          ...readUndone(one),
          now: {
            exists: now.exists === true,
            version: optionalText(now, 'version'),
            differs: textList(now, 'differs'),
          },
        };
      }),
      notUndoable: fieldsList(fields.not_undoable, 'not_undoable').map((one) => ({
        ...readUndone(one),
        reason: text(one, 'reason'),
      })),
      nextCursor: optionalText(fields, 'next_cursor'),
    };
  }
}

/** The members of every kind of range. */
interface EveryRange {
  readonly since?: string;
  readonly until?: string;
  readonly writeId?: string;
  readonly dryRun?: boolean;
  readonly cursor?: string;
}

function whose(of: WritesOf) {
  const { keyId, providerConfigKey, connectionId }: Partial<ConnectionRef & { keyId: string }> = of;
  return { key_id: keyId, provider_config_key: providerConfigKey, connection_id: connectionId };
}

function readWrite(fields: Unread<Omit<wire.UndoneWrite, 'changes'>>): JournalledWrite {
  const object = isFields(fields.object) ? fieldsOf(fields.object, 'object') : undefined;
  return {
    id: text(fields, 'id'),
    time: text(fields, 'time'),
    providerConfigKey: text(fields, 'provider_config_key'),
    connectionId: text(fields, 'connection_id'),
    keyId: text(fields, 'key_id'),
    requestId: text(fields, 'request_id'),
    method: optionalText(fields, 'method'),
    object: object === undefined ? undefined : { kind: text(object, 'kind'), ids: textList(object, 'ids') },
  };
}

function readUndone(fields: Unread<wire.UndoneWrite>): UndoneWrite {
  if (fields.changes === undefined) return readWrite(fields);
  const changes = fieldsListOrNull(fields.changes);
  return { ...readWrite(fields), changes };
}

function fieldsListOrNull(changes: unknown): readonly WrittenChange[] | null {
  if (changes === null) return null;
  return fieldsList(changes, 'changes').map((one) => ({
    member: text(one, 'member'),
    before: optionalText(one, 'before'),
    after: optionalText(one, 'after'),
  }));
}
