import type { Item } from '../../../../dev/support/expression.ts';
import { MemoryTable } from '../../../../dev/support/memory-table.ts';
import type { Connection } from '../../../../lambdas/gateway/connections/connection.rules.ts';
import { connectionFromItem, connectionToItem } from '../../../../lambdas/gateway/connections/connection-item.store.ts';
import { eventFromItem } from '../../../../lambdas/gateway/events/event.store.ts';
import type { LifecycleEvent } from '../../../../lambdas/gateway/events/lifecycle-event.rules.ts';
import type { Integration } from '../../../../lambdas/gateway/integrations/integration.rules.ts';
import {
  integrationFromItem,
  integrationToItem,
} from '../../../../lambdas/gateway/integrations/integration-item.store.ts';
import { connectionItemKey, integrationItemKey } from '../../../../lambdas/gateway/platform/dynamodb/keys.ts';
import { connection, integration } from './connection.ts';

/** The table with a connection and its integration, which a test may read and change past every condition. */
export class RefreshTable {
  readonly memory = new MemoryTable();
  readonly #row = connectionItemKey(connection());
  readonly #integration = integrationItemKey(integration());

  constructor(row: Connection | undefined, app: Integration) {
    this.row = row;
    this.integration = app;
  }

  /** The row as its item. */
  get item(): Item | undefined {
    return this.memory.get(this.#row);
  }

  get row(): Connection | undefined {
    const { item } = this;
    return item === undefined ? undefined : connectionFromItem(item);
  }

  set row(row: Connection | undefined) {
    if (row === undefined) this.memory.delete({ ...this.#row });
    else this.memory.put(connectionToItem(row));
  }

  get integration(): Integration | undefined {
    const item = this.memory.get(this.#integration);
    return item === undefined ? undefined : integrationFromItem(item);
  }

  set integration(app: Integration | undefined) {
    if (app === undefined) this.memory.delete({ ...this.#integration });
    else this.memory.put(integrationToItem(app));
  }

  /** Events of connections, as they were written. */
  get events(): LifecycleEvent[] {
    return this.#events().filter(({ subject }) => 'connectionId' in subject);
  }

  get integrationEvents(): LifecycleEvent[] {
    return this.#events().filter(({ subject }) => !('connectionId' in subject));
  }

  #events(): LifecycleEvent[] {
    return this.memory.ofType('event').map(eventFromItem);
  }
}
