import type { SecretKey, SecretKeyRight } from '../gateway/library.ts';

/** Rights of a key, in words for lists and for the form that creates one. The type requires a row for each right. */
export const KEY_RIGHTS: Readonly<Record<SecretKeyRight, { readonly listed: string; readonly offered: string }>> = {
  proxy: { listed: 'Proxied calls only', offered: 'Proxied calls only' },
  read: {
    listed: 'Proxied calls and reading',
    offered: 'Proxied calls, and reading integrations and connections',
  },
  full: { listed: 'Everything', offered: 'Everything, including changes and connect sessions' },
};

/** Whether something is one of the rights. */
export function isKeyRight(value: unknown): value is SecretKeyRight {
  return typeof value === 'string' && Object.hasOwn(KEY_RIGHTS, value);
}

/** A right in a list; an unknown one unchanged. */
export function keyRightWords(right: string): string {
  return isKeyRight(right) ? KEY_RIGHTS[right].listed : right;
}

/** What calls with it: a secret key, an assistant's key or an IAM role. */
export function keyKindWords({ roleArn, agent }: Pick<SecretKey, 'roleArn' | 'agent'>): string {
  if (roleArn !== undefined) return 'IAM role';
  return agent === undefined ? 'Secret key' : 'Agent key';
}
