import { type ApiCall, type ApiResult, pathParameter } from '../api/call.ts';
import { notFound } from '../api/envelope.ts';
import { scopeUrl } from '../oauth/scopes.ts';
import type { GrantRecord } from '../state/records.ts';

const DRIVE_SCOPE = scopeUrl('drive');

/** Apps of a user: every Cloud project that they granted a Drive scope, as "Connected apps" in Drive's settings shows. */
function grantsOf(call: ApiCall): GrantRecord[] {
  const { sub } = call.caller.account;
  return [...call.sim.state.grants.values()].filter(
    (grant) => grant.sub === sub && grant.scopes.some((scope) => scope.startsWith(DRIVE_SCOPE)),
  );
}

function describeApp(grant: GrantRecord): Record<string, unknown> {
  return {
    kind: 'drive#app',
    id: grant.project,
    productId: grant.project,
    name: `Project ${grant.project}`,
    objectType: 'file',
    supportsCreate: false,
    supportsImport: false,
    supportsMultiOpen: false,
    supportsOfflineCreate: false,
    installed: grant.scopes.includes(scopeUrl('drive.install')),
    authorized: true,
    hasDriveWideScope: grant.scopes.includes(DRIVE_SCOPE),
    useByDefault: false,
    primaryMimeTypes: [],
    secondaryMimeTypes: [],
    primaryFileExtensions: [],
    secondaryFileExtensions: [],
    icons: [],
  };
}

/** `apps.list`; filters by what an app opens find nothing, as no simulated app opens anything. */
export function listApps(call: ApiCall): ApiResult {
  const isFiltered = call.query.has('appFilterExtensions') || call.query.has('appFilterMimeTypes');
  const items = isFiltered ? [] : grantsOf(call).map(describeApp);
  return { resource: { kind: 'drive#appList', defaultAppIds: [], items } };
}

/** `apps.get`. */
export function getApp(call: ApiCall): ApiResult {
  const appId = pathParameter(call, 'appId');
  const grant = grantsOf(call).find(({ project }) => project === appId);
  if (grant === undefined) throw notFound(`App not found: ${appId}.`, 'appId');
  return { resource: describeApp(grant) };
}
