import type { Feature } from '../feature.rules.ts';

/** Events as signed messages to endpoints of the account ([webhooks.md](../../../docs/webhooks.md)). The core names them still, so no deployment can leave them out. */
export const feature = {
  id: 'webhooks',
  title: 'signed messages to your endpoints',
  required: true,
  functions: ['deliver'],
  attention: ['webhook'],
} as const satisfies Feature;
