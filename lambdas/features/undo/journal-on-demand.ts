import { asOwnError } from '../../gateway/core/errors.ts';
import type { WriteJournal } from './journal-writes.ts';

/** A journal that is opened with the first call of a journalled key: most processes see none. */
export function journalOnDemand(open: () => Promise<WriteJournal>): WriteJournal {
  let opened: Promise<WriteJournal> | undefined;
  return {
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
