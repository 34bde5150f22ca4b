import * as z from 'zod';
import { limitRate } from '../../gateway/calls/limit-rate.ts';
import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { GatewayError } from '../../gateway/core/errors.ts';
import { sessionIdOf } from '../../gateway/events/lifecycle-event.rules.ts';
import { delegationForm } from '../../gateway/integrations/delegation-form.ts';
import { texts, time } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import { checkDelegation, SCOPE_STATES } from '../../gateway/tokens/check-delegation.ts';
import { reachedIntegration } from '../authenticate.ts';
import { grantRoute, isoTime, isoTimeOrNull, type Route } from '../route.ts';
import type { GrantServices } from '../services.ts';

const pattern = '/integrations/{integrationId}/delegation';

const domainAnswer = documented(() =>
  z
    .object({
      domain: z.string(),
      status: z.enum(['granted', 'lost', 'unknown']).meta({
        description: 'lost: Google says that its administrator does not list the service account.',
      }),
      since: time(),
      checked_at: time().nullable(),
    })
    .meta({ id: 'DelegatedDomain' }),
);

const checkAnswer = documented(() =>
  z
    .object({
      domain: z.string(),
      works: z.boolean().meta({ description: 'Google gives a token for the address with all scopes.' }),
      scopes: z.array(
        z.object({
          scope: z.string(),
          status: z
            .enum(SCOPE_STATES)
            .meta({ description: 'listed, not_listed, or unknown where Google did not answer that.' }),
        }),
      ),
      cause: z.string().nullable(),
      what_happened: z.string().nullable(),
      who: z.enum(['end_user', 'developer', 'workspace_admin']).nullable(),
      remedy: z.string().nullable(),
    })
    .meta({ id: 'DelegationCheck', description: 'Whether a service account may act for a user, scope by scope.' }),
);

/** The values that an administrator needs to list the service account, and the state in each domain. */
export const delegationRoutes: readonly Route<GrantServices>[] = [
  grantRoute({
    method: 'GET',
    pattern,
    access: { right: 'read' },
    describe: documented(() => ({
      id: 'getDelegation',
      tag: 'Integrations',
      summary: 'Get what administrators have to list for a service account, and how it stands in each domain',
      answer: z
        .object({
          client_id: z.string(),
          scopes: texts(),
          admin_url: z
            .string()
            .meta({ description: 'Fills the form of Google’s Admin console; it replaces nothing that is listed.' }),
          domains: z.array(domainAnswer()),
        })
        .meta({ id: 'DelegationAnswer' }),
      errors: ['unknown_integration', 'not_supported'],
      example: {
        params: { integrationId: 'drive-domain' },
        answer: {
          client_id: '100000000000000000001',
          scopes: ['https://www.googleapis.com/auth/drive.readonly'],
          admin_url:
            'https://admin.google.com/ac/owl/domainwidedelegation?clientIdToAdd=100000000000000000001&clientScopeToAdd=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fdrive.readonly',
          domains: [
            {
              domain: 'workspace.example',
              status: 'granted',
              since: '2026-03-01T10:00:00.000Z',
              checked_at: '2026-03-01T10:00:00.000Z',
            },
          ],
        },
      },
    })),
    async handle({ caller, params }, services) {
      const integration = await findIntegration(services, reachedIntegration(caller, params));
      const form = delegationForm(integration, services.providers[integration.provider]);
      if (form === undefined) throw notDelegated();
      const domains = await services.delegatedDomains.list(integration);
      return {
        client_id: form.clientId,
        scopes: form.scopes,
        admin_url: form.adminUrl,
        domains: domains.map((one) => ({
          domain: one.domain,
          status: one.status,
          since: isoTime(one.sinceEpochSec),
          checked_at: isoTimeOrNull(one.checkedAtEpochSec),
        })),
      };
    },
  }),
  grantRoute({
    method: 'POST',
    pattern: `${pattern}/check`,
    access: { right: 'full', session: 'admin' },
    body: z.strictObject({
      address: z.string().min(3).max(254).meta({ description: 'The address of any user of the domain.' }),
    }),
    describe: documented(() => ({
      id: 'checkDelegation',
      tag: 'Integrations',
      summary: 'Ask Google whether a service account may act for a user, scope by scope',
      description:
        'Names the scope that is missing. If all are listed, every connection of the domain works again at once. What an administrator has changed may take up to 24 hours to count. The token of an administrator’s session opens it too; a domain then belongs to the organization that checked it first.',
      answer: z.object({ data: checkAnswer() }).meta({ id: 'DelegationCheckAnswer' }),
      errors: [
        'unknown_integration',
        'not_supported',
        'subject_not_allowed',
        'integration_credentials_rejected',
        'token_refresh_unavailable',
        'conflict',
        'rate_limited',
      ],
      example: {
        params: { integrationId: 'drive-domain' },
        body: { address: 'editor@workspace.example' },
        answer: {
          data: {
            domain: 'workspace.example',
            works: true,
            scopes: [{ scope: 'https://www.googleapis.com/auth/drive.readonly', status: 'listed' }],
            cause: null,
            what_happened: null,
            who: null,
            remedy: null,
          },
        },
      },
    })),
    async handle({ caller, params, body, requestId }, services) {
      const { session } = caller;
      const integration = await findIntegration(services, reachedIntegration(caller, params));
      if (integration.delegation === undefined) throw notDelegated();
      if (session !== undefined)
        await limitRate(services, caller.accountId, `delegation_checks.${sessionIdOf(session)}`);
      const { domain, works, scopes, death } = await checkDelegation(services, integration, {
        address: body.address,
        organizationId: session?.admin?.organization.id,
        requestId,
      });
      const text = death?.likelyCauses[0];
      return {
        data: {
          domain,
          works,
          scopes,
          cause: death?.cause ?? null,
          what_happened: text?.explanation ?? null,
          who: text?.who ?? null,
          remedy: death?.remedy ?? null,
        },
      };
    },
  }),
];

/** Of integrations with an OAuth client. */
function notDelegated(): GatewayError {
  return new GatewayError('not_supported', `The integration is not of kind delegated..`);
}
