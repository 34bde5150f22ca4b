import { isUnreadableRow } from '../../gateway/connections/find-connection.ts';
import { type Problem, refusal } from '../../gateway/core/errors.ts';
import type { IntegrationStore } from '../../gateway/integrations/ports.ts';
import { reaches } from '../authenticate.ts';
import { nearestName } from '../request-input.ts';
import type { Caller } from '../route.ts';

/**
 * A problem for each integration of a list that the account does not have.
 *
 * @param ids `undefined` where an element is no valid id, which another check reports
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

/**
 * Refuses a filter by integrations that the account does not have, because the list for a misspelled integration would look like
 * that of an empty one.
 *
 * @param ids within the caller's reach; undefined = no filter
 * @throws GatewayError `invalid_query_params`
 */
export async function refuseUnknownFilter(
  { integrations }: { readonly integrations: Pick<IntegrationStore, 'get' | 'list'> },
  caller: Pick<Caller, 'accountId' | 'integrationIds'>,
  ids: readonly string[] | undefined,
): Promise<void> {
  const { accountId } = caller;
  const exists = async (integrationId: string): Promise<boolean> => {
    const found = await integrations.get({ accountId, integrationId }).catch((error: unknown) => {
      if (isUnreadableRow(error)) return 'unreadable';
      throw error;
    });
    return found !== undefined;
  };
  const found = await Promise.all((ids ?? []).map(exists));
  const unknown = ids?.[found.indexOf(false)];
  if (unknown === undefined) return;
  const all = (await integrations.list(accountId)).map(({ integrationId }) => integrationId);
  // Only integrations within the caller's reach may be named.
  const meant = nearestName(
    unknown,
    all.filter((id) => reaches(caller, id)),
  );
  const hint = meant === undefined ? 'GET /integrations lists them' : `did you mean ${meant}?`;
  throw refusal('invalid_query_params', [
    { path: 'provider_config_key', message: `there is no integration ${unknown}; ${hint}` },
  ]);
}
