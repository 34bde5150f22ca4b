import type { Manage } from '../../management/manage.ts';
import { Journal } from './journal.ts';

/** What the feature adds to a client. */
export interface UndoClients {
  /** Writes of journalled keys, and undoing them. */
  readonly journal: Journal;
}

export const clients = (manage: Manage): UndoClients => ({ journal: new Journal(manage) });
