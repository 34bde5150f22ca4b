/** The gateway as a construct, for stacks of your own: the exports of the package `@integration-gateway/construct`. */
export type { Dashboard } from './constructs/dashboard.ts';
export type { EventFeed } from './constructs/event-feed.ts';
export type { GatewaySecrets } from './constructs/gateway-secrets.ts';
export type { SweepSchedule } from './constructs/sweep-schedule.ts';
export {
  type CallBudget,
  DeclaringGateway,
  type GatewayAttributes,
  type GatewayDeclarations,
  GatewayFeed,
  type GatewayFeedProps,
  GatewayIntegration,
  type GatewayIntegrationProps,
  GatewayKey,
  type GatewayKeyProps,
  GatewayWebhook,
  type GatewayWebhookProps,
  type GrantCallOptions,
  Provider,
} from './declarations.ts';
export { type GatewayOptions, InvalidOptionsError } from './gateway-options.ts';
export { addGatewayOutputs } from './gateway-outputs.ts';
export { IntegrationGateway, type IntegrationGatewayProps } from './integration-gateway.ts';
