import type { Problem } from '../../gateway/core/errors.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';

/**
 * A problem for each integration of a list that the account does not have.
 *
 * @param ids `undefined` where an element is no id at all, which is told elsewhere
 * @param path the list's name in the request
 */
export async function unknownIntegrations(
  deps: { readonly integrations: Pick<IntegrationStore, 'get'> },
  accountId: string,
  ids: readonly (string | undefined)[],
  path: string,
): Promise<Problem[]> {
  const problems = await Promise.all(
    ids.map(async (integrationId, i): Promise<Problem[]> => {
      if (integrationId === undefined) return [];
      if ((await deps.integrations.get({ accountId, integrationId })) !== undefined) return [];
      return [{ path: `${path}[${i}]`, message: 'there is no integration with this unique_key' }];
    }),
  );
  return problems.flat();
}
