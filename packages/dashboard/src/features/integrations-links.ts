/** Written by `npm run generate` from the folders of the features. */
import type { IntegrationsLink } from '../model/feature-slots.ts';
import { integrationsLink as securityEvents } from './security-events/integrations-link.ts';

/** Links of the page of integrations. */
export const INTEGRATIONS_LINKS: Readonly<Record<string, IntegrationsLink>> = { 'security-events': securityEvents };
