import { optionalFields, optionalText, text } from '../../http/fields.ts';
import type { ReadinessReader } from '../../management/feature-slots.ts';

/** Whether the security events of the integration's Cloud project reach the gateway. */
export const readinessReader: ReadinessReader = (readiness) => {
  const fields = optionalFields(readiness, 'security_events');
  if (fields === undefined) return {};
  return {
    securityEvents: {
      cloudProject: text(fields, 'cloud_project'),
      state: text(fields, 'state'),
      verifiedAt: optionalText(fields, 'verified_at'),
      lastEventAt: optionalText(fields, 'last_event_at'),
      what: text(fields, 'what'),
    },
  };
};
