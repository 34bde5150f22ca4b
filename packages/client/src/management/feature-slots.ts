import type { Unread } from '../http/fields.ts';
import type { Readiness } from './integration-types.ts';
import type { Manage } from './manage.ts';
import type { KeyLimits, SecretKey } from './secret-key-types.ts';
import type * as wire from './wire.ts';

/** Reads members of a secret key that the API has with a feature only. */
export type KeyReader = (fields: Unread<wire.SecretKey>) => Partial<SecretKey>;
/** The same of the limits of a key. */
export type LimitsReader = (fields: Unread<wire.KeyLimits>) => Partial<KeyLimits>;
/** The same of an integration's readiness. */
export type ReadinessReader = (fields: Unread<wire.Readiness['data']>) => Partial<Readiness>;

/** What all readers of features read of an answer. */
export function readByAll<From, To extends object>(
  readers: Readonly<Record<string, (fields: From) => To>>,
  fields: From,
): To | object {
  return Object.assign({}, ...Object.values(readers).map((read) => read(fields)));
}

/** A class whose objects have the members that features add. */
export function withMembers<Members extends object>(
  membersOf: (manage: Manage) => Members,
): new (
  manage: Manage,
) => Members {
  class WithMembers {
    constructor(manage: Manage) {
      Object.assign(this, membersOf(manage));
    }
  }
  return WithMembers as new (
    manage: Manage,
  ) => Members;
}
