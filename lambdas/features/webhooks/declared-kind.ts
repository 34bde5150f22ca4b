import * as z from 'zod';
import { answered, bodyOf, isOwn } from '../../declared/answered.ts';
import { refusedBy } from '../../declared/declaration-error.ts';
import { NOTHING_MADE } from '../../declared/event.ts';
import { type KeptSecret, keepSecret, readKept } from '../../declared/kept-secret.ts';
import type { ApiCall, Declared, Declaring, Kind } from '../../declared/ports.ts';
import { readProperties, secretArn, text, texts, truth } from '../../declared/read-properties.ts';
import { runner } from '../../declared/runner.ts';

const properties = z.strictObject({
  Url: text,
  Events: texts.min(1, 'name at least one event, or leave this out for all').optional(),
  Integrations: texts.min(1, 'name at least one integration, or leave this out for all').optional(),
  Description: text.optional(),
  SigningSecretArn: secretArn,
  Verify: truth.default(true),
});

type Properties = z.output<typeof properties>;

const known = z.looseObject({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  managed_by: z.looseObject({ stack_id: z.string(), resources: z.array(z.string()) }).nullable(),
});
const list = z.looseObject({ data: z.array(known) });
const withSecret = z.looseObject({ data: known.extend({ secret: z.string() }) });

type Known = z.output<typeof known>;

const LIST: ApiCall = { method: 'GET', path: '/webhooks' };

const pathOf = (id: string) => `/webhooks/${encodeURIComponent(id)}`;

/**
 * Webhooks, whose signing secrets go into a secret of the stack. Another address is another webhook: the former one keeps receiving until
 * the new one has proved itself, and a rollback finds it as it was.
 */
export const webhookKind: Kind<Properties> = {
  read: (given) => readProperties(properties, given),

  async create(declaring, wanted) {
    const there = (await ownWebhooks(declaring)).find(({ url }) => url === wanted.Url);
    if (there === undefined) return make(declaring, wanted);
    // What an earlier attempt made, whose answer with the secret may be lost.
    await change(declaring, wanted, there.id);
    await keepSecret(declaring, signingSecret(wanted), await rotated(declaring, there.id));
    return proven(declaring, wanted, there);
  },

  async update(declaring, wanted, physicalId) {
    const own = await ownWebhooks(declaring);
    const there = own.find(({ id }) => id === physicalId);
    if (there === undefined || there.url !== wanted.Url) return webhookKind.create(declaring, wanted);
    await change(declaring, wanted, physicalId);
    // Those of an update that failed: CloudFormation does not know them, and the secret may hold theirs.
    const others = own.filter(({ id }) => id !== physicalId);
    const held = await readKept(declaring, signingSecret(wanted));
    // The first value of a new secret is something else.
    if (others.length > 0 || held?.startsWith('whsec_') !== true)
      await keepSecret(declaring, signingSecret(wanted), await rotated(declaring, physicalId));
    const updated = await proven(declaring, wanted, there);
    for (const { id } of others) await removeWebhook(declaring, id);
    return updated;
  },

  async remove(declaring, physicalId) {
    const answer = await declaring.api(LIST);
    // A gateway that is deployed without webhooks has none to remove, and its stacks can go.
    if (answer.status === 404) return;
    for (const { id } of ownOf(declaring, bodyOf(answer, 'Url'))) {
      if (id === physicalId || physicalId === NOTHING_MADE) await removeWebhook(declaring, id);
    }
  },

  async compare(declaring, wanted, physicalId) {
    const now = (await ownWebhooks(declaring)).find(({ id }) => id === physicalId);
    return now && { declared: { url: wanted.Url, ...filtersOf(wanted) }, now };
  },
};

async function make(declaring: Declaring, wanted: Properties): Promise<Declared> {
  const kept = signingSecret(wanted);
  const former = await readKept(declaring, kept);
  const body = { url: wanted.Url, ...filtersOf(wanted) };
  const created = withSecret.parse(await answered(declaring, { method: 'POST', path: '/webhooks', body }, 'Url')).data;
  try {
    await keepSecret(declaring, kept, created.secret);
    return await proven(declaring, wanted, created);
  } catch (error) {
    await removeWebhook(declaring, created.id);
    // A webhook that this one was to replace still signs with it.
    if (former !== undefined) await keepSecret(declaring, kept, former);
    throw error;
  }
}

async function proven(declaring: Declaring, wanted: Properties, { id, status }: Known): Promise<Declared> {
  if (wanted.Verify && status !== 'enabled')
    await answered(declaring, { method: 'POST', path: `${pathOf(id)}/enable` }, 'Url');
  return { physicalId: id, attributes: { WebhookId: id } };
}

async function change(declaring: Declaring, wanted: Properties, id: string): Promise<void> {
  await answered(declaring, { method: 'PATCH', path: pathOf(id), body: filtersOf(wanted) }, 'Url');
}

async function rotated(declaring: Declaring, id: string): Promise<string> {
  const call: ApiCall = { method: 'POST', path: `${pathOf(id)}/rotate-secret`, query: { force: 'true' } };
  return withSecret.parse(await answered(declaring, call, 'Url')).data.secret;
}

async function removeWebhook({ api }: Declaring, id: string): Promise<void> {
  const removed = await api({ method: 'DELETE', path: pathOf(id) });
  if (removed.status >= 300 && removed.status !== 404) throw refusedBy(removed.status, removed.body, 'Url');
}

function filtersOf({ Description, Events, Integrations }: Properties) {
  return { description: Description ?? null, types: Events ?? null, integrations: Integrations ?? null };
}

/** Webhooks that this resource has made; two of them while one replaces the other. */
async function ownWebhooks(declaring: Declaring): Promise<readonly Known[]> {
  return ownOf(declaring, await answered(declaring, LIST, 'Url'));
}

function ownOf(declaring: Declaring, body: unknown): readonly Known[] {
  return list.parse(body).data.filter(({ managed_by }) => isOwn(declaring, managed_by));
}

function signingSecret({ SigningSecretArn }: Properties): KeptSecret {
  return { property: 'SigningSecretArn', arn: SigningSecretArn };
}

/** Webhooks as resources of stacks. */
export const declaredKind = { type: 'Custom::GatewayWebhook', run: runner(webhookKind) };
