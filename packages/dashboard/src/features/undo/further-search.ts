import type { FurtherSearch } from '../../model/feature-slots.ts';
import { objectHref } from './object-href.ts';

/** Ids of files and events are long, and are no words. */
const OBJECT_ID = /^[\w-]{15,255}$/;

/** Finds a file or an event by its id, if keys with a journal wrote to it in the last days, as far as one request reads. */
export const furtherSearch: FurtherSearch = {
  isFor: (text) => OBJECT_ID.test(text),
  async find(gateway, text, signal) {
    const writes = await gateway.journal.list({ objectId: text }, {}, { signal }).catch(() => undefined);
    const count = writes?.rows.length ?? 0;
    if (count === 0) return undefined;
    return {
      summary: 'A file or event that keys changed',
      href: objectHref(text),
      kind: 'File or event',
      detail: `${count} ${count === 1 ? 'write' : 'writes'} of keys with a journal, to look at and undo`,
    };
  },
};
