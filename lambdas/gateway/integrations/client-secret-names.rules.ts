import type { CipherContext, Random } from '../core/ports.ts';

/** Names of secrets in Secrets Manager have no colon. */
const NAME = /^row:([0-9a-f]{32}):(.+)$/s;
const NAME_BYTES = 16;

/** Whether a secret of this name is a row of the table, and not one of Secrets Manager. */
export function isRowName(name: string): boolean {
  return NAME.test(name);
}

/** Whether a name is one of a row of this account: an integration of another one reads none of it. */
export function isRowNameOf(name: string, accountId: string): boolean {
  return NAME.exec(name)?.[2] === accountId;
}

/** A new name for a row. It has the account, by which its data key is found, and not the integration, whose id can change. */
export function newRowName(accountId: string, random: Random): string {
  return `row:${Buffer.from(random.bytes(NAME_BYTES)).toString('hex')}:${accountId}`;
}

/** What the name of a row says of its place. */
export function placeOfRow(name: string): {
  readonly accountId: string;
  readonly id: string;
  readonly context: CipherContext;
} {
  const [, id = '', accountId = ''] = NAME.exec(name) ?? [];
  return {
    accountId,
    id,
    context: { accountId, integrationId: '', recordId: id, field: 'clientSecret', purpose: 'clients' },
  };
}
