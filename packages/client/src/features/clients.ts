/** Written by `npm run generate` from the folders of the features. */
import type { Manage } from '../management/manage.ts';
import { clients as approvals } from './approvals/clients.ts';
import { clients as feeds } from './feeds/clients.ts';
import { clients as securityEvents } from './security-events/clients.ts';
import { clients as undo } from './undo/clients.ts';
import { clients as webhooks } from './webhooks/clients.ts';

/** Members of a client that features add. */
export type ClientsOfFeatures = ReturnType<typeof approvals> &
  ReturnType<typeof feeds> &
  ReturnType<typeof securityEvents> &
  ReturnType<typeof undo> &
  ReturnType<typeof webhooks>;
/** Makes them. */
export const clientsOfFeatures = (manage: Manage): ClientsOfFeatures => ({
  ...approvals(manage),
  ...feeds(manage),
  ...securityEvents(manage),
  ...undo(manage),
  ...webhooks(manage),
});
