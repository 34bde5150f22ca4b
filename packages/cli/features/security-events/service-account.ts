import { readFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { importPKCS8, SignJWT } from 'jose';
import { isFields, optionalText } from '../../../client/src/http/fields.ts';
import { CommandProblem } from '../../problems.ts';

/** A service account's key as Google Cloud gives it, read. It stays in this process. */
export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string;
  /** PKCS 8, PEM. */
  readonly privateKey: string;
}

/** Audience of signed tokens for the RISC API ("Protect user accounts with Cross-Account Protection"). */
const AUDIENCE = 'https://risc.googleapis.com/google.identity.risc.v1beta.RiscManagementService';
/** Google takes an hour at most; one command needs some seconds. */
const TOKEN_LIFE_SEC = 600;

/**
 * Reads a service account's JSON key.
 *
 * @param file its path; `-` is standard input
 * @throws CommandProblem that names the file, but no part of its content
 */
export async function readServiceAccount(file: string): Promise<ServiceAccount> {
  const from = file === '-' ? 'Standard input' : file;
  let key: unknown;
  try {
    key = JSON.parse(file === '-' ? await readAll(process.stdin) : readFileSync(file, 'utf8'));
  } catch (error) {
    // JSON.parse's message quotes the text.
    const why = error instanceof SyntaxError ? 'it is no JSON' : error instanceof Error ? error.message : String(error);
    throw new CommandProblem(`${from} cannot be read as a service account’s key: ${why}.`);
  }
  const [email, keyId, privateKey] = isFields(key)
    ? ['client_email', 'private_key_id', 'private_key'].map((name) => optionalText(key, name))
    : [];
  if (email === undefined || keyId === undefined || privateKey === undefined) {
    throw new CommandProblem(
      `${from} is no JSON key of a service account: it needs client_email, private_key_id and private_key. Create one in the Google Cloud console under IAM & Admin, Service Accounts, Keys.`,
    );
  }
  return { email, keyId, privateKey };
}

/** A token by which the account calls the RISC API for ten minutes. @throws CommandProblem for a key that does not sign */
export async function signedToken({ email, keyId, privateKey }: ServiceAccount): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  try {
    return await new SignJWT()
      .setProtectedHeader({ alg: 'RS256', kid: keyId, typ: 'JWT' })
      .setIssuer(email)
      .setSubject(email)
      .setAudience(AUDIENCE)
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_LIFE_SEC)
      .sign(await importPKCS8(privateKey, 'RS256'));
  } catch {
    throw new CommandProblem(
      `The private key of ${email} cannot be used. Create a new JSON key of the service account.`,
    );
  }
}
