import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { Services } from '../services.ts';

/** What a feature reports the readiness of: the integration, and whether the gateway has a domain of its own. */
export type ReadinessSubject = readonly [
  services: Services,
  integration: Integration,
  domain: { readonly own: boolean },
];

/** The risks of an integration that a feature reports, one sentence each. */
export type RisksOf = (services: Services, integration: Integration) => Promise<readonly string[]>;
