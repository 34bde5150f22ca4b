import { connectionFromItem } from '../connections/connection-item.store.ts';
import { unconfirmedGrantStore } from '../connections/unconfirmed-grant.store.ts';
import { storedDayUseOf } from '../core/budget.ts';
import { integrationFromItem } from '../integrations/integration-item.store.ts';
import { batchGet } from '../platform/dynamodb/batch-get.ts';
import type { Table } from '../platform/dynamodb/client.ts';
import {
  connectionItemKey,
  dayUseItemKey,
  type ItemKey,
  integrationItemKey,
  secretKeyItemKey,
} from '../platform/dynamodb/keys.ts';
import type { DataKeyRows } from '../platform/kms/token-cipher.ts';
import type { CallerStore } from './ports.ts';
import { secretKeyFromItem } from './secret-key.store.ts';

/** The records that a call needs, in one `BatchGetItem`, together with the data key of the connection's tokens. */
export function callerStore(table: Table, dataKeys: DataKeyRows): CallerStore {
  const unconfirmed = unconfirmedGrantStore(table);
  return {
    unconfirmed: (ref) => unconfirmed.read(ref),

    async load({ keyHash, integration, connection, dayUseOf, isConsistent = false }) {
      const keys: ItemKey[] = [];
      if (keyHash !== undefined) keys.push(secretKeyItemKey(keyHash));
      if (integration !== undefined) keys.push(integrationItemKey(integration));
      if (dayUseOf !== undefined) keys.push(dayUseItemKey(dayUseOf));
      if (connection !== undefined) keys.push(connectionItemKey(connection));
      const dataKey = connection === undefined ? undefined : dataKeys.wanted(connection.accountId);
      if (dataKey !== undefined) keys.push(dataKey);
      const items = await batchGet(table, keys, { isConsistent });
      const find = (key: ItemKey) => items.find((item) => item.pk === key.pk && item.sk === key.sk);
      const dataKeyItem = dataKey === undefined ? undefined : find(dataKey);
      if (dataKey !== undefined && dataKeyItem !== undefined) dataKeys.bring(dataKey, dataKeyItem);
      const keyItem = keyHash === undefined ? undefined : find(secretKeyItemKey(keyHash));
      const integrationItem = integration === undefined ? undefined : find(integrationItemKey(integration));
      const connectionItem = connection === undefined ? undefined : find(connectionItemKey(connection));
      return {
        key: keyItem === undefined ? undefined : secretKeyFromItem(keyItem),
        integration: integrationItem === undefined ? undefined : integrationFromItem(integrationItem),
        connection: connectionItem === undefined ? undefined : connectionFromItem(connectionItem),
        dayUse: dayUseOf === undefined ? undefined : storedDayUseOf(find(dayUseItemKey(dayUseOf))),
      };
    },
  };
}
