import * as z from 'zod';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { type LifecycleEvent, newEvent } from '../../gateway/events/lifecycle-event.rules.ts';
import { success, texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { INTEGRATION } from '../../gateway/openapi/sample.ts';
import { type Caller, isoTime, isoTimeOrNull, type Route, route } from '../../management/route.ts';
import type { Services } from '../../management/services.ts';
import { type KnownProject, knownProjects } from './known-projects.ts';
import { securityEventServices } from './services.ts';
import { eventTypeUri, SECURITY_EVENT_TYPES, SECURITY_EVENTS_PATH } from './statement.rules.ts';
import { STREAM_STATES, streamState } from './stream-state.rules.ts';

const projectAnswer = documented(() =>
  z
    .object({
      cloud_project: z.string().meta({ description: 'The number with which the ids of its OAuth clients begin.' }),
      integrations: texts().meta({ description: 'Integrations of the account with clients of this project.' }),
      state: z.enum(STREAM_STATES).meta({
        description:
          'not_registered: the gateway refuses security events of this project. not_verified: it accepts them, but has not heard from Google since the last verification was asked for.',
      }),
      registered_at: time().nullable(),
      verified_at: time().nullable().meta({ description: 'When the answer to the last verification came.' }),
      last_event_at: time()
        .nullable()
        .meta({ description: 'When a security event last came, to the minute; a verification is one.' }),
    })
    .meta({ id: 'SecurityEventProject' }),
);

const overview = documented(() =>
  z
    .object({
      data: z.object({
        receiver_url: z.string().meta({ description: 'Delivery URL to register at Google.' }),
        event_types: texts().meta({ description: 'Event types to register at Google.' }),
        projects: z.array(projectAnswer()),
      }),
    })
    .meta({ id: 'SecurityEvents' }),
);

/** Body of `PUT /security-events/{cloudProject}`. */
const registerBody = z.strictObject({
  verification: z
    .string({ error: 'must be the text that you send Google as the state of the verification' })
    .min(8, 'needs at least 8 characters')
    .max(200, 'has at most 200 characters')
    .nullish()
    .meta({ description: 'Text that the next verification from Google must contain.' }),
});

const tag = 'Security events';
const pattern = '/security-events/{cloudProject}';
const access = { right: 'full', account: true } as const;
const CLOUD_PROJECT = '123456789012';
const params = { cloudProject: CLOUD_PROJECT };
const EXAMPLE = {
  cloud_project: CLOUD_PROJECT,
  integrations: [INTEGRATION],
  state: 'verified' as const,
  registered_at: '2026-11-22T08:00:00.000Z',
  verified_at: '2026-11-22T08:00:04.000Z',
  last_event_at: '2026-11-22T08:00:04.000Z',
};

/** Cloud projects whose security events the gateway accepts. */
export const routes: readonly Route[] = [
  route({
    method: 'GET',
    pattern: '/security-events',
    access,
    describe: documented(() => ({
      id: 'listSecurityEventProjects',
      tag,
      summary: 'List the Cloud projects of the account and whether their security events reach the gateway',
      description:
        'Google states security events of accounts and tokens (Cross-Account Protection) to one receiver of each Cloud project, which the owner of the project registers: gateway security-events register.',
      answer: overview(),
      errors: [],
      example: {
        answer: {
          data: {
            receiver_url: `https://gateway.example.com${SECURITY_EVENTS_PATH}`,
            event_types: [eventTypeUri('tokens-revoked'), eventTypeUri('verification')],
            projects: [EXAMPLE],
          },
        },
      },
    })),
    async handle({ caller }, services) {
      const projects = await knownProjects(withProjects(services), caller.accountId);
      return {
        data: {
          receiver_url: services.baseUrl + SECURITY_EVENTS_PATH,
          event_types: SECURITY_EVENT_TYPES.map(eventTypeUri),
          projects: projects.map(onTheWire),
        },
      };
    },
  }),
  route({
    method: 'PUT',
    pattern,
    access,
    body: registerBody,
    describe: documented(() => ({
      id: 'registerSecurityEvents',
      tag,
      summary: 'Accept the security events of a Cloud project, and expect a verification',
      description:
        'Google signs its statements, and the gateway accepts those for registered projects. Register the receiver at Google as well: the command gateway security-events register does both.',
      answer: z.object({ data: projectAnswer() }).meta({ id: 'SecurityEventProjectAnswer' }),
      errors: ['not_found'],
      example: {
        params,
        body: { verification: 'b5c1f0d2a94e' },
        answer: { data: { ...EXAMPLE, state: 'not_verified', verified_at: null } },
      },
    })),
    async handle({ caller, params: { cloudProject = '' }, body, requestId }, services) {
      const known = await foundProject(services, caller, cloudProject);
      const event = changed(services, 'SecurityEventsRegistered', cloudProject, caller, requestId);
      const wish = {
        accountId: caller.accountId,
        state: body.verification ?? undefined,
        nowEpochSec: epochSecNow(services.clock),
      };
      const registered = await withProjects(services).securityProjects.register(cloudProject, wish, event);
      return { data: onTheWire({ ...known, registered }) };
    },
  }),
  route({
    method: 'DELETE',
    pattern,
    access,
    describe: documented(() => ({
      id: 'removeSecurityEvents',
      tag,
      summary: 'Refuse the security events of a Cloud project from now on',
      description: 'Disable the stream at Google as well: the command gateway security-events off does both.',
      answer: success(),
      errors: ['not_found'],
      example: { params, answer: { success: true } },
    })),
    async handle({ caller, params: { cloudProject = '' }, requestId }, services) {
      const event = changed(services, 'SecurityEventsRemoved', cloudProject, caller, requestId);
      // Possible even if the integrations with clients of it are deleted.
      const removed = await withProjects(services).securityProjects.remove(cloudProject, caller.accountId, event);
      if (!removed) await foundProject(services, caller, cloudProject);
      return { success: true };
    },
  }),
];

function withProjects(services: Services) {
  return { ...services, ...securityEventServices(services.forFeatures) };
}

function changed(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  type: 'SecurityEventsRegistered' | 'SecurityEventsRemoved',
  cloudProject: string,
  { accountId, actor }: Caller,
  requestId: string,
): LifecycleEvent {
  const says = { cloud_project: cloudProject };
  return newEvent(clock, random, type, { subject: { accountId }, sequence: 0, says, requestId, actor });
}

/** @throws GatewayError `not_found` */
async function foundProject(services: Services, caller: Caller, cloudProject: string): Promise<KnownProject> {
  const found = (await knownProjects(withProjects(services), caller.accountId)).find(
    (one) => one.cloudProject === cloudProject,
  );
  if (found !== undefined) return found;
  throw new GatewayError(
    'not_found',
    'No integration of this account has an OAuth client of this Cloud project. GET /security-events lists the projects there are.',
  );
}

function onTheWire({ cloudProject, integrations, registered }: KnownProject): AnswerOf<typeof projectAnswer> {
  return {
    cloud_project: cloudProject,
    integrations,
    state: streamState(registered),
    registered_at: registered === undefined ? null : isoTime(registered.registeredAtEpochSec),
    verified_at: isoTimeOrNull(registered?.verifiedAtEpochSec),
    last_event_at: isoTimeOrNull(registered?.lastStatementAtEpochSec),
  };
}
