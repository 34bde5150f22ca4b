/** Written by `npm run generate` from the folders of the features. */
import type { InboxDependencies, Messages } from '../gateway/feature-dependencies.ts';
import { messages as feeds } from './feeds/messages.ts';
import { messages as securityEvents } from './security-events/messages.ts';

/** Messages that the inbox takes for features. */
export const MESSAGES: Readonly<Record<string, (deps: InboxDependencies) => Messages>> = {
  feeds,
  'security-events': securityEvents,
};
