import * as z from 'zod';
import { count, success } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { END_USER, NAMED_CONNECTION } from '../../gateway/openapi/sample.ts';
import { reaches, requireReach } from '../authenticate.ts';
import { confirmedConnectionAnswer, namedConnection } from '../connections/connection-answer.ts';
import { grantRoute, type Route } from '../route.ts';
import { endUserId } from '../schemas/common.ts';
import type { GrantServices } from '../services.ts';
import { confirmConnection } from './confirm-connection.ts';
import { deleteSessionsOf } from './delete-sessions.ts';

/** Body of `POST /connect/sessions/confirm`. */
const confirmBody = z.strictObject({
  handle: z.string().min(1, 'must not be empty').max(200, 'is no handle: those are shorter'),
  end_user_id: endUserId,
});

const tag = 'Connect sessions';

/** Ends of connect sessions, with which grants may end at the provider: confirmed by a backend, or deleted. */
export const sessionEndRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'POST',
    pattern: '/connect/sessions/confirm',
    access: { right: 'full' },
    creates: true,
    body: confirmBody,
    describe: documented(() => ({
      id: 'confirmConnection',
      tag,
      summary: 'Confirm that the browser which finished a session with confirm belongs to its end user',
      description:
        'For sessions created with confirm: true. The browser that finished brings a handle to your app, as confirmation_handle in the return URL or as confirmationHandle from connect(). Send it within 15 minutes, with the id of the user who is signed in to your app in that browser. If the session was created for another user, the answer is 409 and the grant is ended. A handle works once.',
      answer: confirmedConnectionAnswer(),
      errors: ['not_found', 'conflict', 'unknown_integration'],
      example: {
        body: { handle: `cf_${'A'.repeat(86)}`, end_user_id: END_USER.id },
        answer: { data: { ...NAMED_CONNECTION, missing_scopes: [], is_reconnect: false } },
      },
    })),
    async handle({ caller, body, requestId }, services) {
      const { accountId, actor } = caller;
      const confirmation = { accountId, handle: body.handle, endUserId: body.end_user_id, requestId, actor };
      const confirmed = await confirmConnection(services, confirmation, (id) => requireReach(caller, id));
      const { connection, missingScopes } = confirmed;
      return {
        data: {
          ...namedConnection({ ...connection, cause: undefined }),
          missing_scopes: missingScopes,
          is_reconnect: confirmed.isReconnect,
        },
      };
    },
  }),
  grantRoute({
    method: 'DELETE',
    pattern: '/connect/sessions',
    access: { right: 'full' },
    query: z.strictObject({ end_user_id: endUserId }),
    describe: documented(() => ({
      id: 'deleteConnectSessions',
      tag,
      summary: 'Delete the connect sessions of an end user, open and finished, with all that they say of the person',
      description:
        'Deletes sessions that name the end user in end_user or in the tag end_user_id, and reconnect links for connections of the end user; connections stay. The links no longer open anything, flows in progress fail, and a grant that waits for confirmation is ended. Repeat the request while has_more is true. A key that is limited to some integrations deletes the sessions that allow only those. Sessions that version 0.2.0 or an earlier one created are not found; they expire by themselves.',
      answer: success().extend({ deleted_sessions: count(), has_more: z.boolean() }).meta({ id: 'DeletedSessions' }),
      errors: [],
      example: {
        query: { end_user_id: END_USER.id },
        answer: { success: true, deleted_sessions: 2, has_more: false },
      },
    })),
    async handle({ caller, query, requestId }, services) {
      const { accountId, actor } = caller;
      const deletion = { accountId, endUserId: query.end_user_id, requestId, actor };
      const { count: deleted, hasMore } = await deleteSessionsOf(services, deletion, (session) => {
        if (caller.integrationIds === undefined) return true;
        const allowed = session?.allowedIntegrations ?? [];
        return allowed.length > 0 && allowed.every((id) => reaches(caller, id));
      });
      return { success: true as const, deleted_sessions: deleted, has_more: hasMore };
    },
  }),
];
