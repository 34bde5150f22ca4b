import { GatewayError } from '../gateway/core/errors.ts';
import type { InboxDependencies, Messages } from '../gateway/feature-dependencies.ts';

/** What features take from the inbox. Messages for a feature that is left out are refused by its name. @param parts by the features' ids */
export function takersOf(
  parts: Readonly<Record<string, (deps: InboxDependencies) => Messages>>,
  deps: InboxDependencies,
): readonly Messages[] {
  return Object.entries(parts).map(([id, open]) => {
    const messages = open(deps);
    if (!deps.config.without.has(id)) return messages;
    const refuse = async () => {
      throw new GatewayError('not_supported', `This gateway was deployed without ${id}.`);
    };
    return { path: messages.path, take: refuse };
  });
}
