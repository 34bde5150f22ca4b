import * as z from 'zod';
import { documented } from '../../gateway/openapi/documented.ts';
import {
  aboutAccount,
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

/** Google's statements about accounts and tokens. */
const SECURITY_EVENT_WORDS = {
  'tokens-revoked': 'All tokens of the account for the app were ended.',
  'token-revoked': 'One refresh token was ended.',
  'account-disabled': 'The account was disabled.',
  'account-enabled': 'The account was enabled again.',
  'account-purged': 'The account was deleted for good.',
  'sessions-revoked': 'The account was signed out everywhere.',
  'account-credential-change-required': 'The user must change the password.',
};

/** Rows of the catalogue of events. */
export const describedEvents = documented(
  (): Readonly<Record<(typeof feature.events)[number], DescribedEvent>> => ({
    SecurityEventsRegistered: {
      audience: 'audit',
      title: 'Security events were registered',
      tone: 'info',
      when: 'The gateway began to accept Google’s security events of a Cloud project.',
      readBy: 'Anyone who reviews changes of the configuration.',
      data: aboutAccount({
        cloud_project: text('Number of the Google Cloud project.'),
        actor: actor('Who registered them'),
      }),
      example: { cloud_project: '123456789012', actor: OPERATOR_ACTOR },
    },
    SecurityEventsRemoved: {
      audience: 'audit',
      title: 'Security events were turned off',
      tone: 'info',
      when: 'The gateway no longer accepts Google’s security events of a Cloud project.',
      readBy: 'Anyone who reviews changes of the configuration.',
      data: aboutAccount({
        cloud_project: text('Number of the Google Cloud project.'),
        actor: actor('Who turned them off'),
      }),
      example: { cloud_project: '123456789012', actor: OPERATOR_ACTOR },
    },
    ConnectionSecurityEvent: {
      audience: 'app',
      title: 'Google stated a security event',
      tone: 'warning',
      when: 'Google stated a security event of a connection’s account or token. This ends no connection: the gateway refreshes its token at once and reports the result.',
      readBy: 'Your backend, to end the user’s own sessions after `hijacking` or `sessions-revoked`, as Google asks.',
      data: aboutConnection(
        {
          security_event: word('What happened.', SECURITY_EVENT_WORDS),
          stated_reason: z.string().optional().meta({ description: 'Google’s reason, such as `hijacking`.' }),
          stated_at: z.string().meta({ description: 'When Google stated it, by its clock.' }),
        },
        SEQUENCE.none,
      ),
      example: {
        ...CONNECTION_EXAMPLE,
        security_event: 'account-disabled',
        stated_reason: 'hijacking',
        stated_at: '2026-11-22T08:30:00.000Z',
      },
    },
  }),
);
