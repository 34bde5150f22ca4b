import { lazyPart } from '../../data/lazy-part.ts';
import type { Pages } from '../../model/feature-slots.ts';

const Approvals = lazyPart(() => import('./approvals-page.tsx'));

export const pages: Pages = { '/approvals': Approvals, '/approvals/:approvalId': Approvals };
