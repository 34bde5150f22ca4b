import * as z from 'zod';
import { ownMember } from '../gateway/core/own-member.ts';

/** Why a resource could not be made, changed or deleted: one sentence that begins with a property's name where one is at fault. */
export class DeclarationError extends Error {}

const envelope = z.looseObject({
  error: z.looseObject({
    code: z.string().optional(),
    message: z.string(),
    errors: z.array(z.looseObject({ path: z.string(), message: z.string() })).optional(),
  }),
});

/** What a property is called in the API, where it is not the same in another spelling. */
const PROPERTY_OF: Readonly<Record<string, string>> = {
  'credentials.client_id': 'ClientId',
  'credentials.client_secret': 'ClientSecretArn',
  types: 'Events',
  provider_config_key: 'Integration',
  if_unused: 'DeleteConnections',
};

/**
 * A refusal of the API in the words of a template.
 *
 * @param body of the answer
 * @param property that is named where the answer names none
 */
export function refusedBy(status: number, body: unknown, property: string): DeclarationError {
  const parsed = envelope.safeParse(body);
  if (!parsed.success) return new DeclarationError(`${property}: the gateway answered ${status} without a reason.`);
  const { code, message, errors = [] } = parsed.data.error;
  const [first] = errors;
  if (first === undefined)
    return new DeclarationError(`${code === 'unknown_integration' ? 'Integration' : property}: ${message}`);
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  return new DeclarationError(`${propertyOf(first.path)}: ${first.message}${more}`);
}

/** `limits.day.units` as `Limits.Day.Units`. */
export function propertyOf(path: string): string {
  const [, whole = '', place = ''] = /^(.*?)(\[\d+\])?$/.exec(path) ?? [];
  const known = ownMember(PROPERTY_OF, whole);
  if (known !== undefined) return `${known}${place}`;
  return path
    .replace(/^limits\./, '')
    .split('.')
    .map((part) => part.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase()))
    .join('.');
}
