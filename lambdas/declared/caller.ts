import * as z from 'zod';
import { sha256Hex } from '../gateway/core/identifiers.ts';
import { roleWithoutPath } from '../gateway/keys/credentials.rules.ts';
import { answered, isOwn } from './answered.ts';
import { comparedLimits, labelOf, limitProperties, limitsOf } from './caller-limits.ts';
import { isSame } from './compared.ts';
import { DeclarationError } from './declaration-error.ts';
import { NOTHING_MADE } from './event.ts';
import { callerPath, type ListedCaller, liveCallers } from './listed-callers.ts';
import type { Compared, Declared, Declaring, Kind } from './ports.ts';
import { readProperties, text } from './read-properties.ts';

/** What a refusal is about that names no property itself. */
const PROPERTY = 'RoleArn';

const properties = z.strictObject({
  RoleArn: text.refine(
    (arn) => roleWithoutPath(arn) !== undefined,
    'must be the ARN of one IAM role, without wildcards',
  ),
  RoleId: text.optional(),
  ...limitProperties,
});

type Properties = z.output<typeof properties>;

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
    if (!there.managed_by.resources.includes(resource) && !isSame(comparedTo(there, wanted))) {
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
    if (there === undefined || !isOwn(declaring, there.managed_by)) return;
    await answered(declaring, { method: 'DELETE', path: callerPath(physicalId) }, PROPERTY);
  },

  async compare(declaring, wanted, physicalId) {
    const there = await find(declaring, physicalId);
    return there && comparedTo(there, wanted);
  },
};

function idOf({ RoleArn }: Properties): string {
  return sha256Hex(roleWithoutPath(RoleArn) ?? RoleArn);
}

async function register(declaring: Declaring, wanted: Properties): Promise<Declared> {
  const { RoleArn, RoleId } = wanted;
  const body = {
    name: labelOf(wanted, declaring.stack.resource),
    right: 'proxy',
    role_arn: RoleArn,
    ...(RoleId === undefined ? {} : { role_id: RoleId }),
    limits: limitsOf(wanted),
  };
  await answered(declaring, { method: 'POST', path: '/account/roles', body }, PROPERTY);
  return declared(wanted);
}

async function change(declaring: Declaring, wanted: Properties, there: ListedCaller): Promise<Declared> {
  if ((wanted.RoleId ?? null) !== there.role_id) {
    // A role of the same name that was created again: its id is fixed when it is registered.
    await answered(declaring, { method: 'DELETE', path: callerPath(there.id) }, PROPERTY);
    if ((await find(declaring, there.id)) === undefined) return register(declaring, wanted);
    throw new DeclarationError('RoleId: another resource of this stack registers the role with the former id.');
  }
  await answered(
    declaring,
    { method: 'PATCH', path: callerPath(there.id), body: { limits: limitsOf(wanted) } },
    PROPERTY,
  );
  return declared(wanted);
}

function declared(wanted: Properties): Declared {
  return { physicalId: idOf(wanted), attributes: { KeyId: idOf(wanted) } };
}

function comparedTo({ limits, role_id }: ListedCaller, wanted: Properties): Compared {
  const { declared, now } = comparedLimits(wanted, limits);
  return { declared: { ...declared, role_id: wanted.RoleId ?? null }, now: { ...now, role_id } };
}

async function find(declaring: Declaring, id: string): Promise<ListedCaller | undefined> {
  return (await liveCallers(declaring, PROPERTY)).find((one) => one.id === id);
}
