/** The first secret key: written by the refresh function at its first run into a secret that the template leaves empty. */
import { setTimeout as delay } from 'node:timers/promises';
import { ENVIRONMENT } from '../../lambdas/gateway/core/contract.ts';
import { asObject, errorMessage, optionalString, parseJson } from '../tools/json.ts';
import type { AwsCredentials } from './aws/credentials.ts';
import type { SecretsManager } from './aws/secrets-manager.ts';
import { signedHeaders } from './aws/signature.ts';
import { httpCall } from './http-call.ts';
import type { LocalFunction } from './template/functions.ts';

export interface FirstSecretKeyOptions {
  functions: readonly LocalFunction[];
  secrets: SecretsManager;
  /** Where the functions find Secrets Manager, when that is not this gateway's own. */
  elsewhere: { endpoint: string; region: string; credentials: AwsCredentials } | undefined;
  /** Fires one run of the function that makes the key. */
  makeKey: (fn: LocalFunction) => Promise<unknown>;
  /** Fire it also where the key is there, as every start does. */
  runAnyway: boolean;
  warn: (message: string) => void;
}

const ATTEMPTS = 3;

/**
 * The first secret key, made if there is none yet.
 * @returns undefined when no function of the template makes one.
 * @throws Error with the function's own message when it did not.
 */
export async function firstSecretKey(options: FirstSecretKeyOptions): Promise<string | undefined> {
  const maker = options.functions.find((fn) => fn.environment[ENVIRONMENT.firstSecretKeyArn] !== undefined);
  const arn = maker?.environment[ENVIRONMENT.firstSecretKeyArn];
  if (maker === undefined || arn === undefined) return undefined;
  const known = await readSecret(options, arn);
  if (known !== undefined) {
    // Nothing waits for it.
    if (options.runAnyway) options.makeKey(maker).catch((error: unknown) => options.warn(errorMessage(error)));
    return known;
  }
  let failure = 'it did not write the secret';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await options.makeKey(maker);
    } catch (error) {
      failure = errorMessage(error);
    }
    const key = await readSecret(options, arn);
    if (key !== undefined) return key;
    await delay(100 * attempt);
  }
  throw new Error(`The function ${maker.displayName} made no first secret key: ${failure}`);
}

async function readSecret({ secrets, elsewhere }: FirstSecretKeyOptions, arn: string): Promise<string | undefined> {
  if (elsewhere === undefined) return nonEmpty(secrets.currentValue(arn));
  const { endpoint, region, credentials } = elsewhere;
  const body = JSON.stringify({ SecretId: arn });
  const call = {
    host: new URL(endpoint).host,
    region,
    service: 'secretsmanager',
    target: 'secretsmanager.GetSecretValue',
    body,
  };
  const reply = await httpCall(endpoint, { method: 'POST', headers: signedHeaders(credentials, call), body });
  if (reply.status !== 200) return undefined;
  const value = asObject(parseJson(reply.text, 'The secret'), 'The secret');
  return nonEmpty(optionalString(value.SecretString, 'SecretString'));
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
