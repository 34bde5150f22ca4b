import type { DashboardFeature } from '../../model/feature-slots.ts';

export const feature: DashboardFeature = { pages: [{ path: '/security-events', entry: '/integrations' }] };
