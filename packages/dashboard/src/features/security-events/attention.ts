import type { AttentionButtons } from '../../model/feature-slots.ts';
import { integrationHref } from '../../ui/link.tsx';

export const attention: AttentionButtons = {
  security_events: ({ providerConfigKey = '' }) => ({
    label: 'Open the integration',
    href: integrationHref(providerConfigKey),
  }),
};
