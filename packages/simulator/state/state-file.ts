import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRecord, listOf, optional, type Parser, text } from '../parse.ts';
import { agentsRecord } from './agents.ts';
import { calendarChanges, settingRecord } from './calendar.ts';
import { delegationRecord } from './delegation.ts';
import { driveChanges } from './drive.ts';
import {
  oauthStateRecord,
  STATE_VERSION,
  serviceAccountRecord,
  streamRecord,
  tokenIdentifiersRecord,
} from './records.ts';
import type { StateFileRecord } from './store.ts';

/** Permission bits of the state file and of stored uploads: the user alone. */
const PRIVATE_FILE_MODE = 0o600;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** A state file that cannot be taken over. The message says what is lost without it; the way out is the program's to say. */
export class StateFileError extends Error {}

/** The state of a file of this version or an older one. */
export interface TakenOver {
  readonly record: StateFileRecord;
  /** What the file held and this simulator cannot read, and where its copy is; undefined where all was read. */
  readonly loss: string | undefined;
}

/** Lists that a part of the file has, at whatever depth its version keeps them, with what they hold. */
const CONTENTS = {
  drive: {
    files: ['changed file', 'of Drive'],
    removedIds: ['removed file', 'of Drive'],
    drives: ['shared drive', ''],
  },
  calendar: { calendars: ['calendar', ''], events: ['changed event', 'of Calendar'] },
  oauth: { clients: ['OAuth client', ''], grants: ['grant', ''], refreshTokens: ['refresh token', ''] },
} as const;

/**
 * Reads a state file. Of one of an older form it takes clients, grants and tokens, without which every connection would have to
 * be made again, and of Drive and Calendar what it can read. What it cannot read stays in a copy alongside the file.
 *
 * @returns `undefined` when there is none yet
 * @throws {StateFileError} when not even the grants can be read, naming what is lost with the file
 */
export function readStateFile(path: string): TakenOver | undefined {
  let json: string;
  try {
    json = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const file = partsOf(path, json);
  const version = Number(file.version);
  if (!(version >= 1 && version <= STATE_VERSION)) {
    throw refusal(path, file, `its version is ${String(file.version)}, and this simulator reads 1 to ${STATE_VERSION}`);
  }
  const lost: string[] = [];
  const readPart = <T>(name: Exclude<keyof StateFileRecord, 'version' | 'oauth'>, parser: Parser<T>, empty: T): T => {
    try {
      return parser(file[name], `state.${name}`);
    } catch {
      const known = name === 'drive' || name === 'calendar';
      lost.push(...(known && isRecord(file[name]) ? contentsOf(file, name) : [`all changes of ${name}`]));
      return empty;
    }
  };
  let oauth: StateFileRecord['oauth'];
  try {
    oauth = oauthStateRecord(file.oauth, 'state.oauth');
  } catch (cause) {
    throw refusal(path, file, cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause), cause);
  }
  const drive = readPart('drive', driveChanges, { files: [], removedIds: [], drives: [], notes: {}, logs: {} });
  const calendar = readPart('calendar', calendarChanges, {
    seq: 0,
    calendars: [],
    rules: [],
    entries: [],
    events: [],
  });
  const settings = readPart('settings', optional(listOf(settingRecord)), undefined);
  const declaredClients = readPart('declaredClients', optional(listOf(text)), undefined);
  const tokenIdentifiers = readPart('tokenIdentifiers', optional(listOf(tokenIdentifiersRecord)), undefined);
  const streams = readPart('streams', optional(listOf(streamRecord)), undefined);
  const serviceAccounts = readPart('serviceAccounts', optional(listOf(serviceAccountRecord)), undefined);
  const delegation = readPart('delegation', optional(delegationRecord), undefined);
  const agents = readPart('agents', optional(agentsRecord), undefined);
  const others = { settings, declaredClients, tokenIdentifiers, streams, serviceAccounts, delegation, agents };
  const record = { version: `${STATE_VERSION}`, oauth, drive, calendar, ...others } as const;
  if (lost.length === 0) return { record, loss: undefined };
  const copy = `${path}.version-${version}`;
  writePrivateFile(copy, json);
  return {
    record,
    loss: `The simulator's state has an older form. Taken over: ${contentsOf(file, 'oauth').join(', ')}. Not taken over: ${lost.join(', ')}. A copy of the former file is ${copy}.`,
  };
}

function partsOf(path: string, json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw refusal(path, {}, 'it is not JSON', cause);
  }
  if (!isRecord(value)) throw refusal(path, {}, 'it holds no state');
  return value;
}

function refusal(path: string, file: Record<string, unknown>, reason: string, cause?: unknown): StateFileError {
  const contents = (['oauth', 'drive', 'calendar'] as const).flatMap((name) => contentsOf(file, name));
  const loss = contents.length === 0 ? '' : ` Without it the simulator forgets ${contents.join(', ')}.`;
  return new StateFileError(`${path} is not a state file that this simulator can take over: ${reason}.${loss}`, {
    cause,
  });
}

/** What a part of a file holds, a phrase with its count each. */
function contentsOf(file: Record<string, unknown>, part: keyof typeof CONTENTS): string[] {
  return Object.entries(CONTENTS[part]).flatMap(([list, [thing, where]]) => {
    const found = countIn(file[part], list);
    return found === 0 ? [] : [`${found} ${thing}${found === 1 ? '' : 's'} ${where}`.trim()];
  });
}

/** Entries of the lists of a name in a part, which an older version kept for each account. */
function countIn(part: unknown, list: string): number {
  if (!isRecord(part)) return 0;
  const own = part[list];
  if (Array.isArray(own)) return own.length;
  return Object.values(part).reduce<number>(
    (sum, account) => sum + (isRecord(account) && Array.isArray(account[list]) ? account[list].length : 0),
    0,
  );
}

/** Replaces a file in one step, readable by the user alone, so that a crash leaves the old or the new one whole. */
export function writePrivateFile(path: string, data: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, data, { mode: PRIVATE_FILE_MODE });
  renameSync(temporary, path);
}

/** Folder alongside the state file that holds uploaded bytes. */
function blobFolder(statePath: string): string {
  return `${statePath}.blobs`;
}

/** Path of one stored upload. */
export function blobPath(statePath: string, sha256: string): string {
  return join(blobFolder(statePath), sha256);
}
