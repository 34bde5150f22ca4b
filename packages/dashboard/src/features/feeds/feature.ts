import type { DashboardFeature } from '../../model/feature-slots.ts';

export const feature: DashboardFeature = {
  pages: [{ path: '/feeds' }],
  entries: [{ section: 'Activity', path: '/feeds', name: 'Feeds', before: '/audit' }],
};
