/**
 * Interfaces the use cases need from the world. Adapters implement them; tests may too. One file a concern, all reached
 * through here.
 */
export type * from './ports/authorization.ts';
export type * from './ports/callers.ts';
export type * from './ports/connections.ts';
export type * from './ports/integrations.ts';
export type * from './ports/provider.ts';
export type * from './ports/system.ts';
export type * from './ports/telemetry.ts';
export type * from './ports/upkeep.ts';
