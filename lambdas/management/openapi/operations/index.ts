import type { Operations } from '../operation.ts';
import { accountOperations } from './account.ts';
import { connectionActionOperations } from './connection-actions.ts';
import { connectionOperations } from './connections.ts';
import { feedOperations } from './feeds.ts';
import { overviewOperations } from './overview.ts';

/** What the document says of every route of the table, but those of the document itself. */
export const OPERATIONS: Operations = {
  ...overviewOperations,
  ...connectionOperations,
  ...connectionActionOperations,
  ...feedOperations,
  ...accountOperations,
};
