import type { SecretKeyRecord } from '../../gateway/keys/credentials.rules.ts';
import { createSecretKey } from '../keys/create-secret-key.ts';
import { revokeSecretKey } from '../keys/revoke-secret-key.ts';
import { pageOf, type WholeList } from '../list-page.ts';
import { bareRoute, bodyRoute, type Route } from '../route.ts';
import { cursorQuery, noQuery } from '../schemas/common.ts';
import { createKeyBody } from '../schemas/keys.ts';
import { secretKeyOnTheWire } from '../wire/secret-key.ts';

/** Secret keys of the account: made, listed, revoked. */
export const keyRoutes: readonly Route[] = [
  bareRoute({
    method: 'GET',
    pattern: '/account/keys',
    access: { right: 'full', account: true },
    summary: 'Secret keys, newest first, without their text',
    query: cursorQuery,
    async handle({ caller, query }, services) {
      const { accountId } = caller;
      const list: WholeList<SecretKeyRecord> = {
        accountId,
        name: 'secretKeyListCursor',
        items: await services.secretKeys.list(accountId),
        positionOf: ({ createdAt, keyHash }) => `${createdAt}#${keyHash}`,
        onTheWire: (record) => secretKeyOnTheWire(record, caller.key?.keyHash),
      };
      return { status: 200, body: await pageOf(services, list, query.cursor) };
    },
  }),
  bodyRoute({
    method: 'POST',
    pattern: '/account/keys',
    access: { right: 'full', account: true, recentSignIn: true },
    summary: 'Make a secret key; its text is shown this once',
    query: noQuery,
    body: createKeyBody,
    async handle({ caller, body, requestId }, services) {
      const { secretKey, record } = await createSecretKey(services, {
        accountId: caller.accountId,
        name: body.name,
        right: body.right,
        integrationIds: body.integration_ids,
        canReadCredentials: body.can_read_credentials ?? false,
        requestId,
        actor: caller.actor,
        // Operators govern the account: the right comes from them.
        makerMayReadCredentials: caller.operator !== undefined || caller.key?.canReadCredentials === true,
      });
      const data = { ...secretKeyOnTheWire(record, caller.key?.keyHash), secret_key: secretKey };
      return { status: 201, body: { data } };
    },
  }),
  bareRoute({
    method: 'DELETE',
    pattern: '/account/keys/{keyId}',
    access: { right: 'full', account: true },
    summary: 'Revoke a secret key; within a minute nothing accepts it',
    query: noQuery,
    async handle({ caller, params, requestId }, services) {
      await revokeSecretKey(services, caller.accountId, params.keyId ?? '', { requestId, actor: caller.actor });
      return { status: 200, body: { success: true } };
    },
  }),
];
