import * as z from 'zod';
import { sha256Hex } from '../gateway/core/identifiers.ts';
import { roleWithoutPath } from '../gateway/keys/credentials.rules.ts';
import { DeclarationError, refusedBy } from './declaration-error.ts';
import { NOTHING_MADE } from './event.ts';
import type { ApiCall, Declared, Declaring, Kind } from './ports.ts';
import { readProperties, text, texts, wholeNumber } from './read-properties.ts';

const amounts = z
  .strictObject({ Calls: wholeNumber.optional(), Units: wholeNumber.optional(), Bytes: wholeNumber.optional() })
  .optional();

const properties = z.strictObject({
  RoleArn: text.refine(
    (arn) => roleWithoutPath(arn) !== undefined,
    'must be the ARN of one IAM role, without wildcards',
  ),
  RoleId: text.optional(),
  Name: text.optional(),
  Integrations: texts.optional(),
  Allow: texts,
  Deny: texts.optional(),
  Minute: amounts,
  Day: amounts,
});

type Properties = z.output<typeof properties>;

const known = z.looseObject({
  id: z.string(),
  role_id: z.string().nullable(),
  revoked_at: z.string().nullable(),
  limits: z.looseObject({}).nullable(),
  managed_by: z.looseObject({ stack_id: z.string(), resources: z.array(z.string()) }).nullable(),
});
const list = z.looseObject({ data: z.array(known), next_cursor: z.string().nullable() });

type Known = z.output<typeof known>;

/** IAM roles that call below `/iam`, each with limits. The digest of the role's ARN, which is its key's id, is the physical id. */
export const callerKind: Kind<Properties> = {
  read: (given) => readProperties(properties, given),

  async create(declaring, wanted) {
    const there = await find(declaring, idOf(wanted));
    if (there === undefined) return register(declaring, wanted);
    const { stackId, resource } = declaring.stack;
    if (there.managed_by?.stack_id !== stackId) {
      throw new DeclarationError(
        'RoleArn: this role is registered already, and not by this stack; revoke it first, or let one stack declare it.',
      );
    }
    if (!there.managed_by.resources.includes(resource) && !isSame(there, wanted)) {
      throw new DeclarationError(
        `RoleArn: the resource ${there.managed_by.resources.join(' and ')} of this stack registers this role with other properties; move it without changing it, and change it in the next update.`,
      );
    }
    return change(declaring, wanted, there);
  },

  async update(declaring, wanted, physicalId) {
    if (idOf(wanted) !== physicalId) return callerKind.create(declaring, wanted);
    const there = await find(declaring, physicalId);
    return there === undefined ? register(declaring, wanted) : change(declaring, wanted, there);
  },

  async remove(declaring, id, given) {
    const roleArn = typeof given.RoleArn === 'string' ? roleWithoutPath(given.RoleArn) : undefined;
    const physicalId = id === NOTHING_MADE ? sha256Hex(roleArn ?? '') : id;
    const there = await find(declaring, physicalId);
    const { stackId, resource } = declaring.stack;
    if (there?.managed_by?.stack_id !== stackId || !there.managed_by.resources.includes(resource)) return;
    await answered(declaring, { method: 'DELETE', path: pathOf(physicalId) });
  },
};

/** Of a name in the API. */
const LABEL_MAX_LENGTH = 100;

const pathOf = (id: string) => `/account/keys/${id}`;

function idOf({ RoleArn }: Properties): string {
  return sha256Hex(roleWithoutPath(RoleArn) ?? RoleArn);
}

async function register(declaring: Declaring, wanted: Properties): Promise<Declared> {
  const { Name, RoleArn, RoleId } = wanted;
  const body = {
    name: Name ?? declaring.stack.resource.slice(0, LABEL_MAX_LENGTH),
    right: 'proxy',
    role_arn: RoleArn,
    ...(RoleId === undefined ? {} : { role_id: RoleId }),
    limits: limitsOf(wanted),
  };
  await answered(declaring, { method: 'POST', path: '/account/roles', body });
  return declared(wanted);
}

async function change(declaring: Declaring, wanted: Properties, there: Known): Promise<Declared> {
  if ((wanted.RoleId ?? null) !== there.role_id) {
    // A role of the same name that was created again: its id is fixed when it is registered.
    await answered(declaring, { method: 'DELETE', path: pathOf(there.id) });
    if ((await find(declaring, there.id)) === undefined) return register(declaring, wanted);
    throw new DeclarationError('RoleId: another resource of this stack registers the role with the former id.');
  }
  await answered(declaring, { method: 'PATCH', path: pathOf(there.id), body: { limits: limitsOf(wanted) } });
  return declared(wanted);
}

function declared(wanted: Properties): Declared {
  return { physicalId: idOf(wanted), attributes: { KeyId: idOf(wanted) } };
}

/** Limits in the API's spelling; those that are not declared are not there. */
function limitsOf({ Integrations, Allow, Deny, Minute, Day }: Properties): Record<string, unknown> {
  return {
    mode: 'enforce',
    allow: Allow,
    ...(Deny === undefined ? {} : { deny: Deny }),
    ...(Integrations === undefined ? {} : { integrations: Integrations }),
    ...(Minute === undefined ? {} : { minute: amountsOf(Minute) }),
    ...(Day === undefined ? {} : { day: amountsOf(Day) }),
  };
}

function amountsOf({ Calls, Units, Bytes }: NonNullable<z.output<typeof amounts>>) {
  return Object.fromEntries(
    Object.entries({ calls: Calls, units: Units, bytes: Bytes }).filter(([, value]) => value !== undefined),
  );
}

/** Whether a role has the limits that a resource declares; which methods they leave follows from them. */
function isSame({ limits, role_id }: Known, wanted: Properties): boolean {
  const { methods: _, ...named } = limits ?? {};
  const inOrder = (value: object) => JSON.stringify(Object.entries(value).toSorted(([a], [b]) => a.localeCompare(b)));
  return role_id === (wanted.RoleId ?? null) && inOrder(named) === inOrder(limitsOf(wanted));
}

/** The live role of an id. */
async function find(declaring: Declaring, id: string): Promise<Known | undefined> {
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = cursor === null ? {} : { cursor };
    const page: z.output<typeof list> = list.parse(
      await answered(declaring, { method: 'GET', path: '/account/keys', query }),
    );
    const found = page.data.find((one) => one.id === id && one.revoked_at === null);
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  } while (cursor !== null);
  return undefined;
}

async function answered({ api }: Declaring, call: ApiCall): Promise<unknown> {
  const { status, body } = await api(call);
  if (status >= 300) throw refusedBy(status, body, 'RoleArn');
  return body;
}
