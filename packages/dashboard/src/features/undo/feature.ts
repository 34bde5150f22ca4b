import type { DashboardFeature } from '../../model/feature-slots.ts';

export const feature: DashboardFeature = {
  pages: [{ path: '/objects/:objectId', startsAgain: true, entry: '/agents' }],
};
