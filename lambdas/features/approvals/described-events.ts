import * as z from 'zod';
import { documented } from '../../gateway/openapi/documented.ts';
import {
  aboutConnection,
  actor,
  CONNECTION_EXAMPLE,
  type DescribedEvent,
  OPERATOR_ACTOR,
  SEQUENCE,
  text,
  word,
} from '../../gateway/openapi/event-parts.ts';
import type { feature } from './feature.ts';

const ofApproval = () => ({
  approval_id: text('Id of the approval.'),
  method: text('Google’s id of the method, such as `drive.files.delete`.'),
  key_id: text('The secret key that called: the first 12 characters of its `id`.'),
  object_kind: z
    .enum(['file', 'shared_drive', 'event', 'calendar'])
    .optional()
    .meta({ description: 'What the call is about; absent if it names no object.' }),
  object_id: text('Google’s id of it.').optional(),
});

const KEY_ACTOR = 'key:f3a1c5d2e4b6';
const APPROVAL_EXAMPLE = {
  approval_id: 'apr_01KAMT0V5N7Z2Q4R8S6T1W3X5Yf3a1c5d2e4b6',
  method: 'drive.files.delete',
  key_id: 'f3a1c5d2e4b6',
  object_kind: 'file',
  object_id: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
};

/** Rows of the catalogue of events. */
export const describedEvents = documented(
  (): Readonly<Record<(typeof feature.events)[number], DescribedEvent>> => ({
    ApprovalRequested: {
      audience: 'app',
      title: 'A call waits for approval',
      tone: 'warning',
      when: 'A call waits for a person’s approval. Nothing of it was sent.',
      readBy: 'Your backend, to send the person who decides to the approval’s page.',
      data: aboutConnection(
        { ...ofApproval(), ends_at: text('Until when it waits.'), actor: actor('The key that called') },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, ends_at: '2026-03-02T10:00:00.000Z', actor: KEY_ACTOR },
    },
    ApprovalLinkCreated: {
      audience: 'app',
      title: 'A link to decide on a call was created',
      tone: 'warning',
      when: 'A full key or an operator created a link. The first browser that opens it decides on a waiting call as the end user.',
      readBy: 'Anyone who watches over access: a link lets its holder approve.',
      data: aboutConnection(
        { ...ofApproval(), ends_at: text('Until when the link works.'), actor: actor('The key or the operator') },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, ends_at: '2026-03-01T10:10:00.000Z', actor: KEY_ACTOR },
    },
    ApprovalDecided: {
      audience: 'app',
      title: 'A person decided on a call',
      tone: 'info',
      when: 'A person approved or refused a waiting call. An approved call is sent within seconds.',
      readBy: 'Your backend; anyone who watches over access.',
      data: aboutConnection(
        {
          ...ofApproval(),
          outcome: word('What was decided.', { approved: 'It may be sent.', refused: 'It is never sent.' }),
          actor: text(
            'Who decided: `operator:…`, `end_user:…` after a sign-in, or `link:…` with the key or operator that created the link.',
          ),
        },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, outcome: 'approved', actor: OPERATOR_ACTOR },
    },
    ApprovalEnded: {
      audience: 'app',
      title: 'A call that asked for approval has ended',
      tone: 'info',
      when: 'A call that waited for approval has ended.',
      readBy: 'Your backend, to fetch the response with the key that called.',
      data: aboutConnection(
        {
          ...ofApproval(),
          outcome: word('How it ended.', {
            done: 'Google carried it out.',
            failed: 'Nothing was changed.',
            stale: 'The object had changed since the person saw it, so nothing was sent.',
            unknown: 'It may have been carried out; reading the object did not show it.',
            expired: 'Nobody decided within a day, or an approved call did not begin within an hour. Nothing was sent.',
          }),
        },
        SEQUENCE.none,
      ),
      example: { ...CONNECTION_EXAMPLE, ...APPROVAL_EXAMPLE, outcome: 'done' },
    },
  }),
);
