import { asOwnError } from '../../gateway/core/errors.ts';
import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import type { CallHooks } from '../../gateway/forwarding/call-hooks.ts';
import type { WriteJournal } from './journal-writes.ts';

/** Keeps what writes of journalled keys change. The journal is opened with the first such call: most processes see none. */
export function callHooks(deps: FeatureDependencies): CallHooks {
  let opened: Promise<WriteJournal> | undefined;
  const open = async () => {
    const loaded = await deps.later<typeof import('./journal.lazy.ts')>('journal');
    return loaded.makeWriteJournal(deps);
  };
  return {
    limit: 'journal',
    async around(call, send) {
      opened ??= open();
      try {
        return await (await opened).around(call, send);
      } catch (error) {
        throw asOwnError(error);
      }
    },
  };
}
