import { createPrivateKey } from 'node:crypto';
import * as z from 'zod';
import type { Problem } from '../../gateway/core/errors.ts';
import { NEW_SUBJECTS_PER_HOUR } from '../../gateway/core/limits.ts';
import type { Random } from '../../gateway/core/ports.ts';
import {
  type Delegation,
  keyToSecret,
  type ServiceAccountKey,
  subjectOf,
} from '../../gateway/integrations/delegation.rules.ts';
import type { ClientCredentials, Integration } from '../../gateway/integrations/integration.rules.ts';
import { texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import type { Provider } from '../../gateway/providers/provider.rules.ts';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const domain = z
  .string()
  .regex(/^[!-~]*$/, 'must be a domain in plain letters, such as example.com')
  .transform((text) => text.toLowerCase())
  .pipe(z.string().regex(DOMAIN, 'must be a domain such as example.com'));

const address = z
  .string()
  .transform((text) => subjectOf(text) ?? '')
  .pipe(z.string().min(1, 'must be an e-mail address without a plus, in plain letters'));

const listOf = (item: z.ZodType<string, string>) => z.array(item).max(200, 'has at most 200 entries');

const subjects = z.strictObject({
  domains: listOf(domain).optional(),
  addresses: listOf(address).optional(),
  exceptions: listOf(address).optional(),
});

const NO_KEY_FILE = 'must be the JSON file of a service account’s key, with private_key_id and private_key';

/**
 * The key file from Google's console, as text or object; only the members for signing are stored. The object has a name in the API's document, as
 * generators of clients derive a type's name from its form otherwise, and the one of a map is no name in Go.
 */
const keyFile = z
  .union(
    [
      z.string().max(10_000),
      z.looseObject({ private_key_id: z.string(), private_key: z.string() }).meta({
        id: 'ServiceAccountKeyFile',
        description: 'The key file of a service account, as Google’s console makes it.',
      }),
    ],
    { error: NO_KEY_FILE },
  )
  .transform((file, context) => {
    const key = readKeyFile(file);
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: NO_KEY_FILE });
    return z.NEVER;
  });

function readKeyFile(file: string | Readonly<Record<string, unknown>>): ServiceAccountKey | undefined {
  try {
    const value: unknown = typeof file === 'string' ? JSON.parse(file) : file;
    if (typeof value !== 'object' || value === null) return undefined;
    const { private_key_id: id, private_key: privateKey } = { private_key_id: '', private_key: '', ...value };
    if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id) || typeof privateKey !== 'string') return undefined;
    return createPrivateKey(privateKey).asymmetricKeyType === 'rsa' ? { id, privateKey } : undefined;
  } catch {
    return undefined;
  }
}

const settings = {
  audience: z.string().max(300).optional(),
  key: keyFile.optional(),
  subjects: subjects.optional(),
  allow_domain_admin_access: z.boolean().optional(),
  new_subjects_per_hour: z.int().min(1).max(10_000).optional(),
};

/** Member `delegation` of `POST /integrations`. */
export const delegationBody = z.strictObject({
  service_account: z.string().max(255),
  client_id: z.string().regex(/^\d{15,30}$/, 'must be the numeric client id (Unique ID) of the service account'),
  project_number: z.string().regex(/^\d{6,20}$/, 'must be the number of the Google Cloud project, not its id'),
  via: z.enum(['aws', 'key'], { error: 'must be aws or key' }),
  ...settings,
});

/** The same for `PATCH /integrations/{id}`: omitted members stay, and `via` changes together with its members. */
export const delegationChangeBody = z.strictObject({ via: z.enum(['aws', 'key']).optional(), ...settings });

export type DelegationBody = z.output<typeof delegationBody>;
export type DelegationChangeBody = z.output<typeof delegationChangeBody>;

/** Settings that do not fit the provider or each other. */
export function delegationProblems(
  provider: Provider,
  delegation: Pick<DelegationBody, 'via'> & {
    readonly service_account?: string | undefined;
    readonly audience?: string | undefined;
    readonly key?: unknown;
  },
): Problem[] {
  const rules = provider.server.delegation;
  if (rules === undefined) return [{ path: 'kind', message: `${provider.server.displayName} has no service accounts` }];
  const problems: Problem[] = [];
  const { service_account: account, audience, via, key } = delegation;
  if (account !== undefined && !new RegExp(rules.serviceAccounts.pattern).test(account)) {
    problems.push({ path: 'delegation.service_account', message: rules.serviceAccounts.looks });
  }
  if (audience !== undefined && !new RegExp(rules.pools.pattern).test(audience)) {
    problems.push({ path: 'delegation.audience', message: rules.pools.looks });
  }
  if (via === 'aws' && audience === undefined) {
    problems.push({ path: 'delegation.audience', message: `is required with via aws; ${rules.pools.looks}` });
  }
  if (via === 'aws' && key !== undefined) {
    problems.push({ path: 'delegation.key', message: 'leave this out: via aws needs no key' });
  }
  return problems;
}

/** A delegation as stored, from the caller's settings. */
export function newDelegation(body: DelegationBody, random: Random, nowEpochSec: number): Delegation {
  const { subjects: allowed = {} } = body;
  return {
    serviceAccount: body.service_account,
    clientId: body.client_id,
    projectNumber: body.project_number,
    via: body.via,
    audience: body.audience,
    keyId: body.key?.id,
    keyAddedAtEpochSec: body.key === undefined ? undefined : nowEpochSec,
    subjects: {
      domains: allowed.domains ?? [],
      addresses: allowed.addresses ?? [],
      exceptions: allowed.exceptions ?? [],
    },
    allowsDomainAdmin: body.allow_domain_admin_access ?? false,
    newSubjectsPerHour: body.new_subjects_per_hour ?? NEW_SUBJECTS_PER_HOUR,
    idSalt: Buffer.from(random.bytes(32)).toString('base64url'),
  };
}

/** The same after a change. */
export function changedDelegation(current: Delegation, change: DelegationChangeBody, nowEpochSec: number): Delegation {
  const { subjects: allowed } = change;
  const via = change.via ?? current.via;
  return {
    ...current,
    via,
    audience: change.audience ?? current.audience,
    ...(change.key === undefined ? {} : { keyId: change.key.id, keyAddedAtEpochSec: nowEpochSec }),
    ...(via === 'aws' ? { keyId: undefined, keyAddedAtEpochSec: undefined } : {}),
    subjects: {
      domains: allowed?.domains ?? current.subjects.domains,
      addresses: allowed?.addresses ?? current.subjects.addresses,
      exceptions: allowed?.exceptions ?? current.subjects.exceptions,
    },
    allowsDomainAdmin: change.allow_domain_admin_access ?? current.allowsDomainAdmin,
    newSubjectsPerHour: change.new_subjects_per_hour ?? current.newSubjectsPerHour,
  };
}

/** A key as stored in the integration's secret, with the previous one. */
export function secretOfKey(
  clientId: string,
  key: ServiceAccountKey,
  before: ClientCredentials | undefined,
): ClientCredentials {
  const clientSecret = keyToSecret(key);
  const isSame = before?.clientSecret === clientSecret;
  return {
    clientId,
    clientSecret,
    previousClientSecret: isSame ? before.previousClientSecret : before?.clientSecret,
  };
}

/** Member `delegation` of an integration's response; never contains the key. */
export const delegationAnswer = documented(() =>
  z
    .object({
      service_account: z.string(),
      client_id: z.string().meta({ description: 'The numeric client id that administrators list.' }),
      project_number: z.string(),
      via: z.enum(['aws', 'key']),
      audience: z.string().nullable(),
      key_id: z.string().nullable().meta({ description: 'Id of the uploaded key; the key itself is never shown.' }),
      key_added_at: time().nullable(),
      subjects: z.object({ domains: texts(), addresses: texts(), exceptions: texts() }).meta({
        description: 'The users that it can act for. Exceptions win, and a domain does not include its subdomains.',
      }),
      allow_domain_admin_access: z.boolean(),
      new_subjects_per_hour: z.int(),
    })
    .meta({ id: 'Delegation', description: 'How a service account acts for users of Workspace domains.' }),
);

export function delegationOnTheWire(
  delegation: NonNullable<Integration['delegation']>,
): AnswerOf<typeof delegationAnswer> {
  const { keyAddedAtEpochSec: addedAt } = delegation;
  return {
    service_account: delegation.serviceAccount,
    client_id: delegation.clientId,
    project_number: delegation.projectNumber,
    via: delegation.via,
    audience: delegation.audience ?? null,
    key_id: delegation.keyId ?? null,
    key_added_at: addedAt === undefined ? null : new Date(addedAt * 1000).toISOString(),
    subjects: delegation.subjects,
    allow_domain_admin_access: delegation.allowsDomainAdmin,
    new_subjects_per_hour: delegation.newSubjectsPerHour,
  };
}
