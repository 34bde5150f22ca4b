import { cloudProjectOf } from '../../gateway/core/identifiers.ts';
import type { Integration } from '../../gateway/integrations/integration.rules.ts';
import { OPERATOR_ACCOUNT_ID } from '../../gateway/keys/authenticate-operator.ts';
import type { Services } from '../../management/services.ts';
import type { SecurityProject, SecurityProjects } from './ports.ts';
import type { SecurityEventServices } from './services.ts';

type Reads = Pick<Services, 'providers' | 'clientIds'> & SecurityEventServices;

/** A Cloud project in an account. */
export interface KnownProject {
  readonly cloudProject: string;
  readonly integrations: readonly string[];
  /** Undefined where this account has not registered it. */
  readonly registered: SecurityProject | undefined;
}

/** The projects of an account's OAuth clients, test credentials included. */
export async function knownProjects(
  reads: Reads & Pick<Services, 'integrations'>,
  accountId: string,
): Promise<readonly KnownProject[]> {
  const integrations = await reads.integrations.list(accountId);
  const owned = await Promise.all(
    integrations.map(async (integration) => {
      const cloudProject = await projectOfIntegration(reads, integration);
      return cloudProject === undefined ? [] : [{ integrationId: integration.integrationId, cloudProject }];
    }),
  );
  const byProject = Map.groupBy(owned.flat(), ({ cloudProject }) => cloudProject);
  return Promise.all(
    [...byProject].map(async ([cloudProject, of]) => ({
      cloudProject,
      integrations: of.map(({ integrationId }) => integrationId),
      registered: await registeredProject(reads.securityProjects, accountId, cloudProject),
    })),
  );
}

/** The Cloud project of an integration's OAuth client; undefined where its provider sends no security events. */
export async function projectOfIntegration(
  { providers, clientIds }: Pick<Services, 'providers' | 'clientIds'>,
  integration: Integration,
): Promise<string | undefined> {
  const { accountId, provider, credentialsSource, clientId } = integration;
  if (providers[provider].server.grants.endsAreStated !== true) return undefined;
  // Test credentials belong to the operators, and so do the security events of their project.
  const isOperators = accountId === OPERATOR_ACCOUNT_ID;
  const ofTest = credentialsSource === 'test' && isOperators ? await clientIds.clientIdOf(integration) : undefined;
  const id = credentialsSource === 'own' ? clientId : ofTest;
  return id === undefined ? undefined : cloudProjectOf(id);
}

/** Other accounts' registrations do not count, because this account's dead connections would not be found. */
export async function registeredProject(
  securityProjects: Pick<SecurityProjects, 'read'>,
  accountId: string,
  cloudProject: string,
): Promise<SecurityProject | undefined> {
  const project = await securityProjects.read(cloudProject);
  return project?.accountIds.includes(accountId) === true ? project : undefined;
}
