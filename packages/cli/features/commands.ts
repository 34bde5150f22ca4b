/** Written by `npm run generate` from the folders of the features. */
import type { Command } from 'commander';
import { commands as agents } from './agents/commands.ts';
import { commands as feeds } from './feeds/commands.ts';
import { commands as securityEvents } from './security-events/commands.ts';
import { commands as undo } from './undo/commands.ts';
import { commands as webhooks } from './webhooks/commands.ts';

/** Commands of features. */
export const FEATURE_COMMANDS: Readonly<Record<string, (program: Command) => void>> = {
  agents,
  feeds,
  'security-events': securityEvents,
  undo,
  webhooks,
};
