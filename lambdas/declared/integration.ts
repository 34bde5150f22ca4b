import * as z from 'zod';
import { isOwn } from './answered.ts';
import { isSame } from './compared.ts';
import { DeclarationError, refusedBy } from './declaration-error.ts';
import { NOTHING_MADE } from './event.ts';
import type { ApiAnswer, Compared, Declared, Declaring, Kind } from './ports.ts';
import { readProperties, secretArn, text, texts, truth } from './read-properties.ts';

const properties = z
  .strictObject({
    Provider: text,
    UniqueKey: text,
    ClientId: text.optional(),
    ClientSecretArn: secretArn.optional(),
    SecretVersion: z.string().optional(),
    Scopes: texts.min(1, 'name at least one scope'),
    DisplayName: text.optional(),
    PublicName: text.optional(),
    PublishingStatus: text.default('testing'),
    Audience: text.default('external'),
    Mode: text.default('test'),
    HostedDomain: text.optional(),
    IncludeGrantedScopes: truth.default(false),
    DeleteConnections: truth.default(false),
  })
  .refine(({ ClientId, ClientSecretArn }) => (ClientId === undefined) === (ClientSecretArn === undefined), {
    path: ['ClientSecretArn'],
    message: 'goes with ClientId; without both, the integration uses the test credentials of the gateway',
  });

type Properties = z.output<typeof properties>;

const known = z.looseObject({
  data: z.looseObject({
    provider: z.string(),
    scopes: z.array(z.string()),
    display_name: z.string(),
    public_name: z.string().nullable(),
    publishing_status: z.string(),
    audience: z.string(),
    mode: z.string(),
    hosted_domain: z.string().nullable(),
    include_granted_scopes: z.boolean(),
    credentials_source: z.string(),
    credentials: z.looseObject({ client_id: z.string().nullable() }).optional(),
    managed_by: z.looseObject({ stack_id: z.string(), resources: z.array(z.string()) }).nullable(),
  }),
});

type Known = z.output<typeof known>['data'];

const pathOf = (uniqueKey: string) => `/integrations/${encodeURIComponent(uniqueKey)}`;

/** Integrations with their OAuth clients. The unique key is the physical id; who made one is in its record. */
export const integrationKind: Kind<Properties> = {
  read: (given) => readProperties(properties, given),

  async create(declaring, wanted) {
    const credentials = await credentialsOf(declaring, wanted);
    const body = { provider: wanted.Provider, unique_key: wanted.UniqueKey, ...settingsOf(wanted), ...credentials };
    const created = await declaring.api({ method: 'POST', path: '/integrations', body });
    if (created.status < 300) return declared(wanted);
    const there = created.status === 409 ? await find(declaring, wanted.UniqueKey) : undefined;
    if (there?.managed_by?.stack_id !== declaring.stack.stackId) {
      throw refusedBy(created.status, created.body, 'UniqueKey');
    }
    // A repeated request finds what its first attempt made, and a moved resource what its former one has.
    const isMoved = !there.managed_by.resources.includes(declaring.stack.resource);
    if (isMoved && !isSame(comparedTo(there, wanted))) {
      throw new DeclarationError(
        `UniqueKey: the resource ${there.managed_by.resources.join(' and ')} of this stack declares ${wanted.UniqueKey} with other properties; move it without changing it, and change it in the next update.`,
      );
    }
    return change(declaring, wanted, there);
  },

  async update(declaring, wanted, physicalId) {
    // Under the former name, unless an earlier attempt has renamed it.
    const former = wanted.UniqueKey === physicalId ? undefined : await find(declaring, physicalId);
    if (former?.provider === wanted.Provider) return change(declaring, wanted, former, physicalId);
    const there = await find(declaring, wanted.UniqueKey);
    return there === undefined || former !== undefined
      ? integrationKind.create(declaring, wanted)
      : change(declaring, wanted, there);
  },

  async remove(declaring, id, given) {
    // What a create that failed may have left: whether this resource made it is in the record.
    const physicalId = id === NOTHING_MADE ? String(given.UniqueKey ?? '') : id;
    const there = physicalId === '' ? undefined : await find(declaring, physicalId);
    if (there === undefined || !isOwn(declaring, there.managed_by)) return;
    const deletesConnections = truth.safeParse(given.DeleteConnections).data === true;
    const query = deletesConnections ? undefined : { if_unused: 'true' };
    const removed = await declaring.api({ method: 'DELETE', path: pathOf(physicalId), ...(query && { query }) });
    if (removed.status < 300 || removed.status === 404) return;
    throw refusedBy(removed.status, removed.body, 'UniqueKey');
  },

  async compare(declaring, wanted, physicalId) {
    const there = await find(declaring, physicalId);
    return there && comparedTo(there, wanted);
  },
};

function declared({ UniqueKey, Provider }: Properties): Declared {
  return { physicalId: UniqueKey, attributes: { UniqueKey, Provider } };
}

/**
 * Changes an integration, its name too where that is another: one with connections is refused then by the gateway, because calls find
 * connections by that name.
 */
async function change(
  declaring: Declaring,
  wanted: Properties,
  there: Known,
  name: string = wanted.UniqueKey,
): Promise<Declared> {
  if (there.provider !== wanted.Provider) {
    throw new DeclarationError(
      `Provider: ${wanted.UniqueKey} belongs to ${there.provider}, and the provider of an integration cannot change; give another UniqueKey.`,
    );
  }
  const renamed = name === wanted.UniqueKey ? {} : { unique_key: wanted.UniqueKey };
  const body = { ...renamed, ...settingsOf(wanted), ...(await credentialsOf(declaring, wanted)) };
  const changed = await declaring.api({ method: 'PATCH', path: pathOf(name), body });
  if (changed.status >= 300) throw refusedBy(changed.status, changed.body, 'UniqueKey');
  return declared(wanted);
}

/** Every setting, so that a rollback restores those that it does not name. */
function settingsOf(wanted: Properties) {
  return {
    display_name: wanted.DisplayName ?? wanted.UniqueKey,
    public_name: wanted.PublicName ?? null,
    scopes: wanted.Scopes,
    publishing_status: wanted.PublishingStatus,
    audience: wanted.Audience,
    mode: wanted.Mode,
    hosted_domain: wanted.HostedDomain ?? null,
    include_granted_scopes: wanted.IncludeGrantedScopes,
  };
}

async function credentialsOf({ secrets }: Declaring, { ClientId, ClientSecretArn }: Properties) {
  if (ClientId === undefined || ClientSecretArn === undefined) return { credentials_source: 'test' };
  return {
    credentials: {
      type: 'OAUTH2',
      client_id: ClientId,
      client_secret: await clientSecretIn(secrets, ClientSecretArn, ClientId),
    },
  };
}

const secretFile = z.looseObject({ client_id: z.string().optional(), client_secret: z.string() });
const secretDocument = secretFile.or(z.looseObject({ web: secretFile }).transform(({ web }) => web));

/** The client secret: the value itself, `{"client_secret"}`, or the file that the Google Cloud console offers. */
async function clientSecretIn({ read }: Declaring['secrets'], arn: string, clientId: string): Promise<string> {
  let value: string | undefined;
  try {
    value = await read(arn);
  } catch (error) {
    const name = error instanceof Error ? error.name : 'Error';
    throw new DeclarationError(
      `ClientSecretArn: the secret cannot be read (${name}); grant the role of the gateway's function secretsmanager:GetSecretValue on it.`,
      { cause: error },
    );
  }
  if (value === undefined) throw new DeclarationError('ClientSecretArn: there is no such secret, or it has no value.');
  if (!value.trimStart().startsWith('{')) return value.trim();
  const document = secretDocument.safeParse(jsonOf(value)).data;
  if (document === undefined) {
    throw new DeclarationError('ClientSecretArn: the secret is JSON without a member client_secret.');
  }
  if (document.client_id !== undefined && document.client_id !== clientId) {
    throw new DeclarationError('ClientId: the secret belongs to another client_id.');
  }
  return document.client_secret;
}

function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

async function find({ api }: Declaring, uniqueKey: string): Promise<Known | undefined> {
  const found = await api({ method: 'GET', path: pathOf(uniqueKey), query: { include: 'credentials' } });
  if (found.status === 404) return undefined;
  return dataOf(found);
}

function dataOf(found: ApiAnswer): Known {
  if (found.status >= 300) throw refusedBy(found.status, found.body, 'UniqueKey');
  return known.parse(found.body).data;
}

function clientIdOf({ credentials_source, credentials }: Known): string | null {
  return credentials_source === 'test' ? null : (credentials?.client_id ?? null);
}

/** A scope as the resource spells it. */
function shortScope(scope: string, declared: readonly string[]): string {
  return declared.find((one) => scope === one || scope.endsWith(`/${one}`)) ?? scope;
}

/** The secret is not compared, because nothing shows it. */
function comparedTo(there: Known, wanted: Properties): Compared {
  const { scopes, ...settings } = settingsOf(wanted);
  return {
    declared: { provider: wanted.Provider, client_id: wanted.ClientId ?? null, scopes, ...settings },
    now: { ...there, client_id: clientIdOf(there), scopes: there.scopes.map((one) => shortScope(one, scopes)) },
  };
}
