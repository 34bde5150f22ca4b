import type { AttentionButtons } from '../../model/feature-slots.ts';
import { approvalHref } from './approval-href.ts';

export const attention: AttentionButtons = {
  approval: ({ id }) => ({
    label: id === undefined ? 'Show the approvals' : 'Show the call',
    href: id === undefined ? '/approvals' : approvalHref(id),
  }),
};
