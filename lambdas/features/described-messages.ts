/** Written by `npm run generate` from the folders of the features. */
import { documented } from '../gateway/openapi/documented.ts';
import { describedMessages as webhooks } from './webhooks/described-messages.ts';

/** Messages to endpoints in addition to those of events. */
export const DESCRIBED_MESSAGES = documented(() => ({ ...webhooks() }));
