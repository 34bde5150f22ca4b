import type { EntryCounts } from '../../model/feature-slots.ts';
import { WaitingCount } from './waiting-count.tsx';

export const entryCounts: EntryCounts = { '/approvals': WaitingCount };
