import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import type { Services } from '../services.ts';

/** What a feature reports the readiness of: the integration, and whether the gateway has a domain of its own. */
export type ReadinessSubject = readonly [
  services: Services,
  integration: Integration,
  domain: { readonly own: boolean },
];

/** What a feature knows of the risks of an integration: a sentence each. */
export type RisksOf = (services: Services, integration: Integration) => Promise<readonly string[]>;
