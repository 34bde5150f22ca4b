import type { Manage } from '../../management/manage.ts';
import { SecurityEvents } from './security-events.ts';

/** What the feature adds to a client. */
export interface SecurityEventsClients {
  /** Which Cloud projects' security events the gateway accepts. */
  readonly securityEvents: SecurityEvents;
}

export const clients = (manage: Manage): SecurityEventsClients => ({ securityEvents: new SecurityEvents(manage) });
