import { actorOf } from '../../gateway/events/lifecycle-event.rules.ts';
import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import type { Caller } from '../route.ts';
import type { Services } from '../services.ts';

/** Names by actor: `key:…`, `iam:…` and `operator:…`. */
export type ActorNames = ReadonlyMap<string, string>;

/** Names of actors: of every key, including revoked ones, and of every operator who has signed in. */
export async function namesOfActors(
  { secretKeys, operatorNames }: Pick<Services, 'secretKeys' | 'operatorNames'>,
  accountId: string,
): Promise<ActorNames> {
  const [keys, operators] = await Promise.all([secretKeys.listAll(accountId), operatorNames.all(accountId)]);
  return actorNames(keys, operators);
}

/** The same for keys that were read. @param operators e-mail addresses by the operator's id at the issuer */
export function actorNames(keys: readonly SecretKeyRecord[], operators: ReadonlyMap<string, string>): ActorNames {
  return new Map([
    ...keys.map((key): [string, string] => [actorOf(key), key.name]),
    ...[...operators].map(([subject, email]): [string, string] => [`operator:${subject}`, email]),
  ]);
}

/** The same for a caller: a key that is limited to a part of the account must not see names of the rest. */
export async function namesOfActorsFor(
  { accountId, integrationIds }: Pick<Caller, 'accountId' | 'integrationIds'>,
  services: Pick<Services, 'secretKeys' | 'operatorNames'>,
): Promise<ActorNames> {
  return integrationIds === undefined ? await namesOfActors(services, accountId) : new Map<string, string>();
}
