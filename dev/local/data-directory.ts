/** The data folder: kept across restarts, marked as the gateway's, used by one gateway at a time. */
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import {
  asNumber,
  asObject,
  errorCode,
  errorMessage,
  isObject,
  type Json,
  type JsonObject,
  optionalString,
  parseJson,
} from '../tools/json.ts';
import { identify, isRunning, killIfRunning, type ProcessIdentity } from './process-identity.ts';

export interface DataDirectory {
  path: string;
  file(name: string): string;
  /** Notes the engine in the lock, so that the next start can end an engine that outlived its gateway. */
  noteEngine(pid: number): void;
  release(): void;
}

const MARKER = 'gateway-data.json';
/** The process that uses the folder, in words. */
const LOCK = 'lock.json';
/** An empty database, locked while the folder is in use. It is never removed, because a lock on a removed file excludes no other process. */
const HELD = 'lock.sqlite';

/**
 * Opens a data folder, making it if needed, and locks it for this process.
 * @param fresh erases the folder first.
 * @throws Error when the folder holds something else, cannot be written, or is used by another gateway.
 */
export function openDataDirectory(folder: string, fresh: boolean): DataDirectory {
  const path = resolve(folder);
  requireOurs(path);
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`${path} cannot be used: ${errorMessage(error)}. Choose another folder with --data.`, {
      cause: error,
    });
  }
  const file = (name: string): string => join(path, name);
  const letGo = takeLock(file(LOCK), file(HELD), path);
  if (fresh) eraseAllBut(path, [LOCK, HELD]);
  writeFileSync(file(MARKER), JSON.stringify({ about: 'Data of the integration gateway on this computer.' }), {
    mode: 0o600,
  });
  const self = identify(process.pid);
  return {
    path,
    file,
    noteEngine: (pid) => writeLock(file(LOCK), self, identify(pid)),
    release() {
      rmSync(file(LOCK), { force: true });
      letGo();
    },
  };
}

/** Beginning of the names of copies in a data folder. */
const COPY = 'copy-';
/** What belongs to a run, and the database, which is copied by itself. */
const NOT_COPIED = /^(?:copy-.*|lock\..*|local\.json|dynamodb\.sqlite.*|bundles|logs|dashboard\b.*)$/;

/**
 * Copies the data of an open folder whose engine runs and whose functions do not, so that an earlier version can start on the copy.
 * @returns the path of the copy, a data folder within the folder
 */
export async function copyData(directory: DataDirectory): Promise<string> {
  const copy = directory.file(`${COPY}${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`);
  const unfinished = `${copy}.part`;
  mkdirSync(unfinished, { mode: 0o700 });
  for (const entry of readdirSync(directory.path)) {
    if (NOT_COPIED.test(entry)) continue;
    cpSync(directory.file(entry), join(unfinished, entry), { recursive: true, mode: constants.COPYFILE_FICLONE });
  }
  const database = new DatabaseSync(directory.file('dynamodb.sqlite'), { readOnly: true });
  try {
    await backup(database, join(unfinished, 'dynamodb.sqlite'));
  } finally {
    database.close();
  }
  renameSync(unfinished, copy);
  return copy;
}

/** Makes a folder and those above it. Node's own recursion never ends on file systems that refuse new folders as missing. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** A folder that holds anything but our data is never written to, let alone erased. */
function requireOurs(path: string): void {
  if (!existsSync(path)) return;
  let entries: string[];
  try {
    entries = readdirSync(path);
  } catch (error) {
    throw new Error(`${path} is not a folder. Choose another with --data.`, { cause: error });
  }
  if (entries.length > 0 && ![MARKER, LOCK, HELD].some((name) => entries.includes(name))) {
    throw new Error(`${path} holds files that are not the gateway's. Choose another folder with --data.`);
  }
}

/**
 * Takes the folder. The file system's lock decides, which every system has and which ends with the process that holds it; who
 * is noted as a process with its start time counts, too: a gateway of an earlier version holds no other lock.
 * @returns what gives the folder back
 */
function takeLock(lockPath: string, heldPath: string, folder: string): () => void {
  const holder = readLock(lockPath);
  const inUse = (): Error => {
    const who = holder === undefined ? '' : ` (process ${holder.gateway.pid})`;
    return new Error(`Another gateway${who} uses ${folder}. Stop it, or choose another folder with --data.`);
  };
  if (holder !== undefined && isRunning(holder.gateway)) throw inUse();
  // Only where it is missing: a process that closes a file gives up its locks on it.
  if (!existsSync(heldPath)) writeFileSync(heldPath, '', { mode: 0o600 });
  const held = new DatabaseSync(heldPath, { timeout: 0 });
  try {
    held.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    held.close();
    if (errorMessage(error) === 'database is locked') throw inUse();
    throw error;
  }
  if (holder?.engine !== undefined) killIfRunning(holder.engine);
  writeLock(lockPath, identify(process.pid), undefined);
  return () => held.close();
}

function writeLock(path: string, gateway: ProcessIdentity, engine: ProcessIdentity | undefined): void {
  const lock = { gateway, ...(engine === undefined ? {} : { engine }) };
  writeFileSync(path, JSON.stringify(lock), { mode: 0o600 });
}

function readLock(path: string): { gateway: ProcessIdentity; engine: ProcessIdentity | undefined } | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const lock = asObject(parseJson(text, path), path);
    return {
      gateway: readIdentity(asObject(lock.gateway, path)),
      engine: isObject(lock.engine) ? readIdentity(lock.engine) : undefined,
    };
  } catch {
    // A lock cut short by a crash names no process.
    return undefined;
  }
}

function readIdentity(value: JsonObject): ProcessIdentity {
  const ticks: Json | undefined = value.startTicks;
  return { pid: asNumber(value.pid, 'pid'), startTicks: optionalString(ticks, 'startTicks') };
}

function eraseAllBut(path: string, kept: readonly string[]): void {
  for (const entry of readdirSync(path)) {
    if (!kept.includes(entry)) rmSync(join(path, entry), { recursive: true, force: true });
  }
}
