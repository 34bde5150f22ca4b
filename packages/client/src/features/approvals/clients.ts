import type { Manage } from '../../management/manage.ts';
import { Approvals } from './approvals.ts';

/** What the feature adds to a client. */
export interface ApprovalsClients {
  /** Calls that wait until a person approves them. */
  readonly approvals: Approvals;
}

export const clients = (manage: Manage): ApprovalsClients => ({ approvals: new Approvals(manage) });
