import type { AttentionButtons } from '../../model/feature-slots.ts';
import { webhookHref } from './webhook-href.ts';

export const attention: AttentionButtons = {
  webhook: ({ id = '' }) => ({ label: 'See its deliveries', href: webhookHref(id) }),
};
