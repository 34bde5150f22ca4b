import * as z from 'zod';
import type { Compared } from './ports.ts';
import { text, texts, wholeNumber } from './read-properties.ts';

const amounts = z
  .strictObject({ Calls: wholeNumber.optional(), Units: wholeNumber.optional(), Bytes: wholeNumber.optional() })
  .optional();

/** Properties that limit what a role or key may call. */
export const limitProperties = {
  Name: text.optional(),
  Integrations: texts.optional(),
  Allow: texts,
  Deny: texts.optional(),
  Approve: texts.optional(),
  Minute: amounts,
  Day: amounts,
};

type LimitProperties = z.output<z.ZodObject<typeof limitProperties>>;

/** Of a name in the API. */
const LABEL_MAX_LENGTH = 100;

/** The name in lists, which without a property is the logical id. */
export function labelOf({ Name }: Pick<LimitProperties, 'Name'>, logicalId: string): string {
  return Name ?? logicalId.slice(0, LABEL_MAX_LENGTH);
}

/** Limits in the API's spelling; those that are not declared are not there. */
export function limitsOf({
  Integrations,
  Allow,
  Deny,
  Approve,
  Minute,
  Day,
}: LimitProperties): Record<string, unknown> {
  return {
    mode: 'enforce',
    allow: Allow,
    ...(Deny === undefined ? {} : { deny: Deny }),
    ...(Approve === undefined ? {} : { approve: Approve }),
    ...(Integrations === undefined ? {} : { integrations: Integrations }),
    ...(Minute === undefined ? {} : { minute: amountsOf(Minute) }),
    ...(Day === undefined ? {} : { day: amountsOf(Day) }),
  };
}

/**
 * Limits as declared, next to those that a role or key has. A limit that no property declares, such as an expiry that was set by hand, is
 * declared as none. Which methods are left follows from the others.
 */
export function comparedLimits(wanted: LimitProperties, limits: object | null): Compared {
  const { methods: _, ...now } = { methods: null, ...limits };
  const none = Object.keys({ mode: null, allow: null, ...now }).map((name) => [name, null] as const);
  return { declared: { ...Object.fromEntries(none), ...limitsOf(wanted) }, now };
}

function amountsOf({ Calls, Units, Bytes }: NonNullable<z.output<typeof amounts>>) {
  return Object.fromEntries(
    Object.entries({ calls: Calls, units: Units, bytes: Bytes }).filter(([, value]) => value !== undefined),
  );
}
