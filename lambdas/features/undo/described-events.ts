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
      when: 'Writes of journalled keys on a connection were undone. One undo of many writes sends several.',
      readBy: 'Anyone who watches over access; your app, if it shows what was changed.',
      data: aboutConnection(
        {
          undone: text('Number of writes that were undone.'),
          conflicts: text('Number left alone because the object had changed since.'),
          not_undoable: text('Number that cannot be undone.'),
          key_id: text('The secret key whose writes were undone; absent if those of all keys were.').optional(),
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
