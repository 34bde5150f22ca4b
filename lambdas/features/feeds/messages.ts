import type { InboxDependencies, Messages } from '../../gateway/feature-dependencies.ts';
import type { FeedRef } from './feed.rules.ts';
import { inboxStore } from './inbox.store.ts';
import { CHANNEL_INBOX_PATH, takeMessage } from './take-message.ts';

/** Takes messages of the provider's push channels. */
export function messages({ table, config, start, ...shared }: InboxDependencies): Messages {
  const deps = {
    ...shared,
    inbox: inboxStore(table),
    wake: (wake: FeedRef) => start(config.setting('feedsFunctionName'), { wake }),
  };
  return { path: CHANNEL_INBOX_PATH, take: (request) => takeMessage(deps, request) };
}
