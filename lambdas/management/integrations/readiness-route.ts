import * as z from 'zod';
import { DESCRIBED_READINESS } from '../../features/described-readiness.ts';
import { readinessOfFeatures } from '../../features/readiness.ts';
import { READINESS_EXAMPLE } from '../../features/readiness-example.ts';
import { RISKS } from '../../features/risks.ts';
import { findIntegration } from '../../gateway/connections/find-connection.ts';
import { epochSecNow } from '../../gateway/core/clock.ts';
import { reviewClass, scope, texts } from '../../gateway/openapi/answer-parts.ts';
import { documented } from '../../gateway/openapi/documented.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import { INTEGRATION, SCOPE } from '../../gateway/openapi/sample.ts';
import { reachedIntegration } from '../authenticate.ts';
import { grantRoute, type Route } from '../route.ts';
import type { GrantServices } from '../services.ts';
import { CAPABILITIES } from './domain-check.ts';
import { quotaRisks } from './quota-risks.ts';
import { type ReadinessReport, reportReadiness } from './report-readiness.ts';

const readiness = documented(() =>
  z.object({
    ready: z.boolean(),
    publishing_status: z.enum(['testing', 'production']),
    audience: z.enum(['external', 'internal']),
    redirect_uri: z.string().meta({ description: 'Register it at Google for the OAuth client.' }),
    javascript_origin: z.string().meta({
      description: 'Register it only if a library in your front end needs it: the gateway does not.',
    }),
    domain: z
      .object({
        host: z.string(),
        own: z.boolean().meta({ description: 'False for an address of AWS or of this computer.' }),
        losses: z.array(
          z.object({
            capability: z.enum(CAPABILITIES),
            needs: z.enum(['own_domain', 'verified_domain']),
            what: z.string(),
          }),
        ),
      })
      .meta({
        description:
          'Restrictions of the gateway’s address. With your own domain: what requires it to be verified for the OAuth client’s Cloud project, which only Google’s console shows.',
      }),
    ...DESCRIBED_READINESS(),
    strictest_class: reviewClass(),
    scopes: z.array(
      scope().extend({
        reviews: z
          .array(z.enum(['app_verification', 'security_assessment']))
          .meta({ description: 'The steps below that this scope requires.' }),
      }),
    ),
    steps: z.array(
      z.object({
        id: z.string(),
        needed: z.boolean(),
        done: z.boolean().nullable().meta({ description: 'Null if only Google’s console shows it.' }),
        what: z.string(),
      }),
    ),
    alternatives: z
      .array(z.object({ instead_of: texts(), scope: z.string(), what: z.string() }))
      .meta({ description: 'Scopes to request instead that need fewer reviews.' }),
    risks: texts(),
    agents: z
      .object({
        seen: texts().meta({ description: 'What worked in this integration, with its time.' }),
        untried: texts().meta({ description: 'What nobody has tried yet.' }),
      })
      .nullable()
      .meta({ description: 'Null for an integration that is not agentic.' }),
  }),
);

function readinessOnTheWire(
  report: ReadinessReport,
): Omit<AnswerOf<typeof readiness>, keyof Awaited<ReturnType<typeof readinessOfFeatures>>> {
  return {
    ready: report.ready,
    publishing_status: report.publishingStatus,
    audience: report.audience,
    redirect_uri: report.redirectUri,
    javascript_origin: report.javascriptOrigin,
    domain: {
      ...report.domain,
      losses: report.domain.losses.map(({ capability, needs, what }) => ({ capability, needs, what })),
    },
    strictest_class: report.strictestClass,
    scopes: report.scopes.map(({ scope, reviewClass, meaning, reviews }) => ({
      scope,
      review_class: reviewClass,
      meaning,
      reviews,
    })),
    steps: report.steps.map(({ id, needed, done, what }) => ({ id, needed, done: done ?? null, what })),
    alternatives: report.alternatives.map(({ insteadOf, scope, what }) => ({ instead_of: insteadOf, scope, what })),
    risks: report.risks,
    agents: report.marked ?? null,
  };
}

/** Steps of an integration before it goes live. */
export const readinessRoute: Route<GrantServices> = grantRoute({
  method: 'GET',
  pattern: '/integrations/{integrationId}/readiness',
  access: { right: 'read' },
  describe: documented(() => ({
    id: 'getIntegrationReadiness',
    tag: 'Integrations',
    summary: 'Get what going live still needs: scopes by review class, publishing status, open steps',
    answer: z.object({ data: readiness() }).meta({ id: 'Readiness' }),
    errors: ['unknown_integration'],
    example: {
      params: { integrationId: INTEGRATION },
      answer: {
        data: {
          ready: false,
          publishing_status: 'testing',
          audience: 'external',
          redirect_uri: 'https://gateway.example.com/v1/oauth/callback',
          javascript_origin: 'https://gateway.example.com',
          domain: {
            host: 'gateway.example.com',
            own: true,
            losses: [
              {
                capability: 'push_messages',
                needs: 'verified_domain',
                what: 'Google may refuse to send messages of feeds to it.',
              },
            ],
          },
          ...READINESS_EXAMPLE(),
          strictest_class: 'restricted',
          scopes: [{ ...SCOPE, reviews: ['app_verification', 'security_assessment'] }],
          steps: [
            {
              id: 'own_client',
              needed: true,
              done: false,
              what: 'Create an OAuth client of the type Web application in your own Google Cloud project and set it in this integration.',
            },
          ],
          alternatives: [
            {
              instead_of: [SCOPE.scope],
              scope: 'https://www.googleapis.com/auth/drive.file',
              what: 'Ask for drive.file instead and let your users choose their files in Google’s picker.',
            },
          ],
          risks: ['Google ends grants of apps in Testing seven days after consent.'],
          agents: null,
        },
      },
    },
  })),
  async handle({ caller, params }, services) {
    const integration = await findIntegration(services, reachedIntegration(caller, params));
    const provider = services.providers[integration.provider];
    const redirectUri = `${services.baseUrl}/oauth/callback`;
    const [domains, ofQuotas, ...ofFeatures] = await Promise.all([
      integration.delegation === undefined ? [] : services.delegatedDomains.list(integration),
      quotaRisks(services, integration),
      ...Object.values(RISKS).map((risks) => risks(services, integration)),
    ]);
    const now = epochSecNow(services.clock);
    const seen = reportReadiness(integration, provider, redirectUri, services.operatorMfa, now, domains);
    const report = { ...seen, risks: [...seen.risks, ...ofQuotas, ...ofFeatures.flat()] };
    return {
      data: { ...readinessOnTheWire(report), ...(await readinessOfFeatures(services, integration, report.domain)) },
    };
  },
});
