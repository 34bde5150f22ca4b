/** Written by `npm run generate` from the folders of the features. */
import type { Background, BackgroundProps } from '../../lib/constructs/feature.ts';
import { background as agents } from './agents/background.ts';
import { background as approvals } from './approvals/background.ts';
import { background as feeds } from './feeds/background.ts';
import { background as webhooks } from './webhooks/background.ts';

/** Functions of features, and what calls them. */
export const BACKGROUNDS: Readonly<Record<string, (props: BackgroundProps) => Background>> = {
  approvals,
  agents,
  feeds,
  webhooks,
};
