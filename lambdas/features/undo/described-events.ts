import { documented } from '../../gateway/openapi/documented.ts';
import {
  aboutConnection,
  actor,
  CONNECTION_EXAMPLE,
  type DescribedEvent,
  OPERATOR_ACTOR,
  SEQUENCE,
  text,
} from '../../gateway/openapi/event-parts.ts';
import type { feature } from './feature.ts';

/** Rows of the catalogue of events. */
export const describedEvents = documented(
  (): Readonly<Record<(typeof feature.events)[number], DescribedEvent>> => ({
    ChangesUndone: {
      audience: 'audit',
      title: 'Changes were undone',
      tone: 'info',
      when: 'Somebody undid what journalled keys had written on a connection. One undo of many writes reports several times.',
      readBy: 'Anyone who watches over access; your app, if it shows what was changed.',
      data: aboutConnection(
        {
          undone: text('How many writes were undone.'),
          conflicts: text('How many were left alone because somebody else had changed the same object since.'),
          not_undoable: text('How many could not be undone.'),
          key_id: text(
            'The secret key whose writes were undone: the first 12 characters of its `id`; absent if those of all keys were.',
          ).optional(),
          actor: actor('Who undid them'),
        },
        SEQUENCE.none,
      ),
      example: {
        ...CONNECTION_EXAMPLE,
        undone: '39',
        conflicts: '1',
        not_undoable: '0',
        key_id: 'f3a1c5d2e4b6',
        actor: OPERATOR_ACTOR,
      },
    },
  }),
);
