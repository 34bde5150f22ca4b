import { endUserIdOf } from '../../gateway/connections/connection.rules.ts';
import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import { signedInUserOf } from '../../gateway/keys/bound-callers.ts';
import type { BoundCallers } from '../../gateway/keys/ports.ts';
import { readAgentBinding } from './agent.rules.ts';
import { signInOf } from './settings.rules.ts';

/** Assistants, each of which has one end user's connections (MC-20). */
export function boundCallers({ config, later }: Pick<FeatureDependencies, 'config' | 'later'>): BoundCallers {
  return {
    async signedIn(user, keyHash, nowMs) {
      const settings = signInOf(config);
      if (settings === undefined) return undefined;
      const { recordOfUser } = await later<typeof import('./signed-in.lazy.ts')>('signed-in');
      return recordOfUser(settings, user, keyHash, nowMs);
    },
    isOf(key, connection) {
      const user = signedInUserOf(key);
      if (user !== undefined) return endUserIdOf(connection) === user;
      const binding = key.agent && readAgentBinding(key.agent);
      return binding !== undefined && endUserIdOf(connection) === binding.endUserId;
    },
  };
}
