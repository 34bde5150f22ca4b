import * as z from 'zod';
import { sha256Hex } from '../gateway/core/identifiers.ts';
import { answered, isOwn } from './answered.ts';
import { comparedLimits, labelOf, limitProperties, limitsOf } from './caller-limits.ts';
import { DeclarationError } from './declaration-error.ts';
import { NOTHING_MADE } from './event.ts';
import { type KeptSecret, keepSecret, readKept } from './kept-secret.ts';
import { callerPath, type ListedCaller, liveCallers } from './listed-callers.ts';
import type { Declared, Declaring, Kind } from './ports.ts';
import { readProperties, secretArn, text } from './read-properties.ts';

/** CloudFormation takes physical ids of up to 1,024 bytes (User Guide, "Custom resource response objects"), and the key's id is one part. */
const VERSION_MAX_LENGTH = 200;

const properties = z.strictObject({
  ...limitProperties,
  SecretArn: secretArn,
  Version: text.max(VERSION_MAX_LENGTH).optional(),
});

type Properties = z.output<typeof properties>;

const created = z.looseObject({ data: z.looseObject({ id: z.string(), secret_key: z.string() }) });

/**
 * Secret keys for callers that have no IAM role. The text goes into a secret of the stack. The key's id, which is the text's digest, and
 * the version are the physical id. Another `Version` is another key: the former one works until CloudFormation deletes it at the end, and
 * a rollback restores it.
 */
export const keyKind: Kind<Properties> = {
  read: (given) => readProperties(properties, given),

  create: (declaring, wanted) => keyFor(declaring, wanted, undefined),

  update: (declaring, wanted, physicalId) => keyFor(declaring, wanted, physicalId),

  async remove(declaring, physicalId, given) {
    // A create that failed may have left one that nobody has read.
    const removed = (await ownKeys(declaring)).filter(({ id, last_used_at }) =>
      physicalId === NOTHING_MADE ? last_used_at === null : id === keyIdIn(physicalId),
    );
    const ids = removed.map(({ id }) => id);
    if (ids.length > 0) await giveBack(declaring, given, ids);
    for (const id of ids) await revoke(declaring, id);
  },

  async compare(declaring, wanted, physicalId) {
    const there = (await liveCallers(declaring, 'SecretArn')).find(({ id }) => id === keyIdIn(physicalId));
    return there && comparedLimits(wanted, there.limits);
  },
};

/**
 * The live key whose text the secret holds, or a new one.
 *
 * The version is that of the physical id and not of the former properties: after a failed update CloudFormation rolls back from properties
 * that were never reached, and the key that it still knows must stay.
 *
 * @param physicalId of an update
 */
async function keyFor(declaring: Declaring, wanted: Properties, physicalId: string | undefined): Promise<Declared> {
  const kept = secretOf(wanted);
  const own = await ownKeys(declaring);
  const former = physicalId === undefined ? undefined : keyIdIn(physicalId);
  const replaced = physicalId === physicalIdOf(former ?? '', wanted) ? undefined : former;
  // A failed update left another key in the secret; one that CloudFormation knows comes first.
  const [found] = (await heldKeys(declaring, kept, own))
    .filter(({ id }) => id !== replaced)
    .toSorted((a, b) => Number(b.id === former) - Number(a.id === former));
  if (found !== undefined) {
    const { id, held, isCurrent } = found;
    if (!isCurrent) await keepSecret(declaring, kept, held);
    const body = { limits: limitsOf(wanted) };
    await answered(declaring, { method: 'PATCH', path: callerPath(id), body }, 'SecretArn');
    // Those of an update that failed: CloudFormation does not know them.
    if (id === former) for (const other of own) if (other.id !== id) await revoke(declaring, other.id);
    return declared(id, wanted);
  }
  // An attempt that ended between creating its key and storing the text left one that nobody has.
  const lost = own.filter(({ id, last_used_at }) => id !== former && last_used_at === null);
  for (const { id } of lost) await revoke(declaring, id);
  return make(declaring, wanted);
}

/** Live keys whose texts the secret has: a rollback finds the former one in the previous version. */
async function heldKeys(declaring: Declaring, kept: KeptSecret, own: readonly ListedCaller[]) {
  const current = await readKept(declaring, kept, 'AWSCURRENT');
  const previous = await readKept(declaring, kept, 'AWSPREVIOUS');
  return [current, previous]
    .map((held = '') => ({ id: sha256Hex(held), held, isCurrent: held === current }))
    .filter(({ id }) => own.some((one) => one.id === id));
}

/**
 * Writes the text of another live key of the stack back into a secret that holds a key which goes away. Two resources share a secret while
 * a key moves from one logical id to another; a rollback deletes the new one, and does not ask the former one for anything.
 */
async function giveBack(
  declaring: Declaring,
  given: Readonly<Record<string, unknown>>,
  removed: readonly string[],
): Promise<void> {
  const { success, data } = properties.pick({ SecretArn: true }).loose().safeParse(given);
  if (!success) return;
  const kept = secretOf(data);
  const live = (await liveCallers(declaring, 'SecretArn')).filter(
    ({ id, managed_by }) => managed_by?.stack_id === declaring.stack.stackId && !removed.includes(id),
  );
  try {
    if (!removed.includes(sha256Hex((await readKept(declaring, kept)) ?? ''))) return;
    const [previous] = (await heldKeys(declaring, kept, live)).filter(({ isCurrent }) => !isCurrent);
    if (previous !== undefined) await keepSecret(declaring, kept, previous.held);
  } catch (error) {
    // A stack that is deleted may have taken its secret or the grant away first; the key is revoked anyway.
    if (!(error instanceof DeclarationError)) throw error;
  }
}

async function make(declaring: Declaring, wanted: Properties): Promise<Declared> {
  const body = { name: labelOf(wanted, declaring.stack.resource), right: 'proxy', limits: limitsOf(wanted) };
  const { id, secret_key } = created.parse(
    await answered(declaring, { method: 'POST', path: '/account/keys', body }, 'SecretArn'),
  ).data;
  try {
    await keepSecret(declaring, secretOf(wanted), secret_key);
  } catch (error) {
    await revoke(declaring, id);
    throw error;
  }
  return declared(id, wanted);
}

function declared(id: string, wanted: Properties): Declared {
  return { physicalId: physicalIdOf(id, wanted), attributes: { KeyId: id } };
}

function physicalIdOf(keyId: string, { Version }: Properties): string {
  return Version === undefined ? keyId : `${keyId}/${Version}`;
}

function keyIdIn(physicalId: string): string {
  return physicalId.split('/', 1)[0] ?? '';
}

function secretOf({ SecretArn }: Pick<Properties, 'SecretArn'>): KeptSecret {
  return { property: 'SecretArn', arn: SecretArn };
}

async function ownKeys(declaring: Declaring) {
  return (await liveCallers(declaring, 'SecretArn')).filter(
    ({ role_arn, managed_by }) => role_arn === null && isOwn(declaring, managed_by),
  );
}

async function revoke(declaring: Declaring, id: string): Promise<void> {
  await answered(declaring, { method: 'DELETE', path: callerPath(id) }, 'SecretArn');
}
