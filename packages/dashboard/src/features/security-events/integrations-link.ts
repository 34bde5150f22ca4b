import type { IntegrationsLink } from '../../model/feature-slots.ts';

export const integrationsLink: IntegrationsLink = { label: 'Security events', href: '/security-events' };
