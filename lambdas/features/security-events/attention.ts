import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import { type Attention, hasWholeAccount, type Looked } from '../../management/overview/attention-row.ts';
import { registeredProject } from './known-projects.ts';
import { VERIFICATION_AWAITED_SEC } from './limits.rules.ts';
import type { SecurityProject } from './ports.ts';
import { securityEventServices } from './services.ts';
import { command, isQuiet } from './stream-state.rules.ts';

/** Rows about registered projects from which nothing comes. */
export const attention = {
  async security_events({ reads, caller, facts, nowEpochSec }: Looked): Promise<readonly Attention[]> {
    if (!hasWholeAccount(caller)) return [];
    const { securityProjects } = securityEventServices(reads.forFeatures);
    const clients = facts.integrations.filter(
      ({ provider, credentialsSource }) =>
        credentialsSource === 'own' && reads.endpointsOf(provider).server.grants.endsAreStated === true,
    );
    const byProject = new Map(
      clients.flatMap(({ clientId, integrationId }) =>
        clientId === undefined ? [] : [[cloudProjectOf(clientId), integrationId] as const],
      ),
    );
    const rows = await Promise.all(
      [...byProject].map(async ([cloudProject, integrationId]) => {
        const project = await registeredProject(securityProjects, caller.accountId, cloudProject);
        return project === undefined ? [] : silentStream(project, integrationId, nowEpochSec);
      }),
    );
    return rows.flat();
  },
};

/** A registered project without statements: deaths are noticed late. */
function silentStream(project: SecurityProject, integrationId: string, nowEpochSec: number): Attention[] {
  const { cloudProject, registeredAtEpochSec, verifiedAtEpochSec, lastStatementAtEpochSec } = project;
  const isAwaited = verifiedAtEpochSec === undefined && nowEpochSec - registeredAtEpochSec > VERIFICATION_AWAITED_SEC;
  if (!isAwaited && !isQuiet(project, nowEpochSec)) return [];
  return [
    {
      kind: 'security_events',
      severity: 'warning',
      title: isAwaited
        ? `Google’s verification of the security events of ${cloudProject} has not come`
        : `No security event of ${cloudProject} has come for 30 days`,
      explanation: isAwaited
        ? 'Until it comes, it is not known whether Google can reach the gateway.'
        : 'Either nothing has happened, or Google’s stream is off: then ended grants are noticed late, and their causes are guesses.',
      who: 'developer',
      steps: [`Ask for a verification: ${command('verify', cloudProject)}`],
      sinceEpochSec: isAwaited ? registeredAtEpochSec : Math.max(verifiedAtEpochSec ?? 0, lastStatementAtEpochSec ?? 0),
      count: 1,
      integrationId,
      reason: isAwaited ? 'not_verified' : 'quiet',
      id: cloudProject,
    },
  ];
}
