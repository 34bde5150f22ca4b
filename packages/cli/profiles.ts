import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isFields, optionalText } from '../client/src/http/fields.ts';
import { CommandProblem } from './problems.ts';

/** A gateway and the secret key that opens it, kept under a name. */
export interface Profile {
  readonly baseUrl: string;
  /** Where proxied calls go, where that is another address. */
  readonly proxyUrl: string | undefined;
  readonly secretKey: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The profile of a login that names none. */
export const DEFAULT_PROFILE = 'default';

/** The name of a profile. @throws CommandProblem */
export function profileName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name) && name !== '__proto__') return name;
  throw new CommandProblem('The name of a profile has 1 to 64 letters, digits, dots, hyphens or underscores.');
}

/** Where profiles are: `integration-gateway/profiles.json` in the folder that the XDG Base Directory Specification names. */
export function profilesFile({ XDG_CONFIG_HOME, HOME }: Environment): string {
  // The specification: a relative path is invalid and passed over.
  const base = XDG_CONFIG_HOME?.startsWith('/') === true ? XDG_CONFIG_HOME : join(HOME || homedir(), '.config');
  return join(base, 'integration-gateway', 'profiles.json');
}

/**
 * The profiles of this user by name; none without a login.
 *
 * @throws CommandProblem for a file that others can read, or that another program wrote
 */
export function readProfiles(environment: Environment): ReadonlyMap<string, Profile> {
  const file = profilesFile(environment);
  let text: string;
  try {
    mustBePrivate(file);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    if (error instanceof CommandProblem) throw error;
    throw new CommandProblem(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return new Map(Object.entries(profilesOf(text, file)).map(([name, value]) => [name, profileOf(value, name, file)]));
}

/** Writes all profiles, so that only this user can read them. @throws CommandProblem */
export function writeProfiles(environment: Environment, profiles: ReadonlyMap<string, Profile>): void {
  const file = profilesFile(environment);
  const written = Object.fromEntries(
    [...profiles].map(([name, { baseUrl, proxyUrl, secretKey }]) => [
      name,
      { base_url: baseUrl, proxy_url: proxyUrl, secret_key: secretKey },
    ]),
  );
  const fresh = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    chmodSync(dirname(file), 0o700);
    // Replaced as a whole, so that an interrupted run leaves the file unchanged.
    writeFileSync(fresh, `${JSON.stringify({ profiles: written }, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new CommandProblem(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws CommandProblem where others may have read the keys, or have written them */
function mustBePrivate(file: string): void {
  const { mode, uid } = statSync(file);
  const folder = statSync(dirname(file));
  // Windows has no such modes.
  if (process.getuid === undefined) return;
  const self = process.getuid();
  if (uid !== self || folder.uid !== self) throw new CommandProblem(`${file} or its folder belongs to another user.`);
  if ((mode & 0o077) !== 0 || (folder.mode & 0o022) !== 0) {
    throw new CommandProblem(
      `Others can read or replace ${file}. If they may have read it, revoke its keys; then: chmod 700 '${dirname(file)}' && chmod 600 '${file}'`,
    );
  }
}

function profilesOf(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value) && isFields(value.profiles)) return value.profiles;
  } catch {
    // Said below, without the text: it has keys.
  }
  throw new CommandProblem(`${file} is not as gateway login writes it. Delete it and log in again.`);
}

function profileOf(value: unknown, name: string, file: string): Profile {
  const [baseUrl, secretKey] = [optionalText(value, 'base_url'), optionalText(value, 'secret_key')];
  if (baseUrl !== undefined && secretKey !== undefined) {
    return { baseUrl, proxyUrl: optionalText(value, 'proxy_url'), secretKey };
  }
  throw new CommandProblem(
    `The profile ${name} in ${file} is incomplete. Log in again, or: gateway logout --profile ${name}`,
  );
}
