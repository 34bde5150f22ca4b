import type { Manage } from '../../management/manage.ts';
import { Feeds } from './feeds.ts';

/** What the feature adds to a client. */
export interface FeedsClients {
  /** Resources under watch, and their changes. */
  readonly feeds: Feeds;
}

export const clients = (manage: Manage): FeedsClients => ({ feeds: new Feeds(manage) });
