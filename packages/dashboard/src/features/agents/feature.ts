import type { DashboardFeature } from '../../model/feature-slots.ts';

/** Any of these gives keys something that the page shows. */
const features = ['agents', 'approvals', 'undo'];

export const feature: DashboardFeature = {
  pages: [{ path: '/agents', features }],
  entries: [{ section: 'Agents', path: '/agents', name: 'Agent keys', features }],
};
