import { epochSecNow } from '../../gateway/core/clock.ts';
import type { AnswerOf } from '../../gateway/openapi/operation.ts';
import type { ReadinessSubject } from '../../management/integrations/readiness-subject.ts';
import { isoTimeOrNull } from '../../management/route.ts';
import type { describedReadiness } from './described-readiness.ts';
import { projectOfIntegration, registeredProject } from './known-projects.ts';
import { securityEventServices } from './services.ts';
import { explainStream, streamState } from './stream-state.rules.ts';

type Answer = AnswerOf<() => ReturnType<typeof describedReadiness>['security_events']>;

/** Whether security events of the integration's Cloud project reach the gateway. */
export async function readiness(
  ...[services, integration, domain]: ReadinessSubject
): Promise<{ readonly security_events: Answer }> {
  const cloudProject = services.without.has('security-events')
    ? undefined
    : await projectOfIntegration(services, integration);
  if (cloudProject === undefined) return { security_events: null };
  const { securityProjects } = securityEventServices(services.forFeatures);
  const project = await registeredProject(securityProjects, integration.accountId, cloudProject);
  return {
    security_events: {
      cloud_project: cloudProject,
      state: streamState(project),
      verified_at: isoTimeOrNull(project?.verifiedAtEpochSec),
      last_event_at: isoTimeOrNull(project?.lastStatementAtEpochSec),
      what: explainStream(cloudProject, project, domain.own, epochSecNow(services.clock)),
    },
  };
}
