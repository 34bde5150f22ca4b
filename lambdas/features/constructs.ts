/** Written by `npm run generate` from the folders of the features. */
import type { Construct } from 'constructs';
import type { FeatureProps } from '../../lib/constructs/feature.ts';
import { construct as agents } from './agents/construct.ts';
import { construct as approvals } from './approvals/construct.ts';
import { construct as securityEvents } from './security-events/construct.ts';
import { construct as undo } from './undo/construct.ts';

/** What features add to the stack: tables, rights, schedules. */
export const CONSTRUCTS: Readonly<Record<string, (gateway: Construct, props: FeatureProps) => void>> = {
  approvals,
  agents,
  'security-events': securityEvents,
  undo,
};
