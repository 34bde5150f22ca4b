import type { DashboardFeature } from '../../model/feature-slots.ts';

export const feature: DashboardFeature = {
  pages: [{ path: '/webhooks' }, { path: '/webhooks/:webhookId', startsAgain: true }],
  entries: [{ section: 'Activity', path: '/webhooks', name: 'Webhooks', before: '/audit' }],
};
