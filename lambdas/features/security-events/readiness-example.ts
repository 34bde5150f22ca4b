import { documented } from '../../gateway/openapi/documented.ts';

/** The member `security_events` of an integration's readiness, as an example. */
export const readinessExample = documented(() => ({
  security_events: {
    cloud_project: '123456789012',
    state: 'verified' as const,
    verified_at: '2026-11-22T08:00:04.000Z',
    last_event_at: '2026-11-25T10:12:00.000Z',
    what: 'Verified 3 days ago; the last security event came 2 hours ago.',
  },
}));
