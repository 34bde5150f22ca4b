import type { DashboardFeature } from '../../model/feature-slots.ts';

export const feature: DashboardFeature = {
  pages: [{ path: '/approvals' }, { path: '/approvals/:approvalId' }],
  entries: [{ section: 'Agents', path: '/approvals', name: 'Approvals', before: '/agents' }],
};
