import * as z from 'zod';
import { DeclarationError } from './declaration-error.ts';

/** CloudFormation sends numbers as text. */
export const wholeNumber = z.coerce.number().int('must be a whole number').min(0, 'must not be negative');

/** CloudFormation sends `true` and `false` as text. */
export const truth = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .or(z.boolean())
  .transform((value) => value === true || value === 'true');

export const text = z.string({ error: 'is required' }).min(1, 'must not be empty');

export const texts = z.array(text, { error: 'must be a list' });

/** ARN of a secret: its value is read where it is needed and is in no event. */
export const secretArn = z
  .string({ error: 'is required' })
  .regex(/^arn:[a-z-]+:secretsmanager:[a-z0-9-]+:\d{12}:secret:\S+$/, 'must be the ARN of a secret of Secrets Manager');

/** The properties of a resource. @throws DeclarationError naming the first property that is wrong */
export function readProperties<Schema extends z.ZodType>(
  schema: Schema,
  { ServiceToken: _token, ServiceTimeout: _timeout, ...given }: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknown !== undefined) throw new DeclarationError(`${unknown}: there is no such property.`);
  throw new DeclarationError(`${issue?.path.join('.')}: ${issue?.message}`);
}
