import { asOwnError, GatewayError } from '../../gateway/core/errors.ts';
import type { FeatureDependencies } from '../../gateway/feature-dependencies.ts';
import type { CallHooks } from '../../gateway/forwarding/call-hooks.ts';
import type { WriteJournal } from './journal-writes.ts';

/** Records the changes of journalled keys' writes. The journal is opened with the first such call, because most processes see none. */
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
    leftOut({ caller, requests }) {
      const isRead = requests.every(({ method }) => method === 'GET' || method === 'HEAD');
      if (isRead || caller.key.limits?.journal !== 'required') return undefined;
      return new GatewayError(
        'not_undoable',
        'This secret key makes only writes that can be undone, and this gateway was deployed without undo. Nothing was sent.',
        { applied: 'no' },
      );
    },
  };
}
