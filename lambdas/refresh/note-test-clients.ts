import { TEST_CLIENT_CHECK_MS } from '../gateway/core/limits.ts';
import type { Clock, Logger } from '../gateway/core/ports.ts';
import type { ClientCredentials } from '../gateway/integrations/integration.rules.ts';
import type { TestClientNotes } from '../gateway/integrations/ports.ts';
import type { ProviderId } from '../gateway/providers/provider.rules.ts';

export interface NoteTestClientsDependencies {
  readonly notes: TestClientNotes;
  readonly providers: readonly ProviderId[];
  /** The present test credentials of a provider, from its secret. */
  readonly testCredentialsOf: (provider: ProviderId) => Promise<ClientCredentials | undefined>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Notes the client ids of test credentials at the first call and then every hour, because operators may write those secrets with AWS's
 * own tools, and an earlier version noted none. A failure is logged, and the next call tries again.
 *
 * @returns the function to call at each tick
 */
export function testClientNoter(deps: NoteTestClientsDependencies): (requestId: string) => Promise<void> {
  let lookAtMs = 0;
  return async (requestId) => {
    if (deps.clock.nowMs() < lookAtMs) return;
    try {
      for (const provider of deps.providers) {
        await deps.notes.note(provider, (await deps.testCredentialsOf(provider))?.clientId);
      }
      lookAtMs = deps.clock.nowMs() + TEST_CLIENT_CHECK_MS;
    } catch (error) {
      deps.logger.error('client ids of test credentials could not be noted', { requestId }, error);
    }
  };
}
