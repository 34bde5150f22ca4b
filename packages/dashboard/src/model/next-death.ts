import type { ConnectionSummary, Integration } from '../gateway/library.ts';

/** Causes that end new grants, too, while they persist. */
const STILL_THERE: Readonly<Record<string, string>> = {
  refresh_token_limit:
    'Some accounts are at Google’s limit of refresh tokens: each new connection ends their oldest one, unless the user removes the app at Google first.',
  account_token_limit:
    'Some accounts have too many apps at Google: each new grant ends another one, unless the user removes apps first.',
  session_length_over:
    'Some Workspaces end sessions after some hours: new grants end with the next session, unless an administrator exempts the app.',
  admin_restricted: 'An administrator blocks the app for some users: Google refuses them until the app is allowed.',
  context_aware_access: 'A rule of some users’ Workspace refuses the app: new grants end too, until it is exempted.',
  advanced_protection: 'Some accounts are in Google’s Advanced Protection Program, which refuses the app.',
};

/** Why new grants of these connections would end soon again, or not come at all: sentences for operators about to send links. */
export function nextDeathWarnings(
  refs: readonly Pick<ConnectionSummary, 'providerConfigKey' | 'cause'>[],
  integrations: readonly Pick<
    Integration,
    'uniqueKey' | 'displayName' | 'publishingStatus' | 'audience' | 'credentialsFault'
  >[],
): string[] {
  const of = (uniqueKey: string) => refs.filter((ref) => ref.providerConfigKey === uniqueKey).length;
  const concerned = integrations.filter(({ uniqueKey }) => of(uniqueKey) > 0);
  const refused = concerned
    .filter(({ credentialsFault }) => credentialsFault !== undefined)
    .map(
      ({ displayName }) =>
        `Google refuses the OAuth client of ${displayName}: nobody can connect before this is fixed.`,
    );
  const testing = concerned
    .filter((one) => one.publishingStatus === 'testing' && one.audience === 'external')
    .map(
      ({ displayName }) =>
        `The app of ${displayName} is still in Testing: users who reconnect now are disconnected again after seven days. Publish the app first.`,
    );
  const causes = [...new Set(refs.map(({ cause }) => cause))];
  const others = causes.flatMap((cause) =>
    cause !== undefined && Object.hasOwn(STILL_THERE, cause) ? [STILL_THERE[cause] ?? ''] : [],
  );
  return [...refused, ...testing, ...others];
}
