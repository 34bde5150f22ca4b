import type { Connection, ConnectionCheck, ConnectionDiagnosis } from '../client/src/index.ts';
import { printFields, printJson, printTable, shortTime } from './output.ts';

/** Prints a connection: its state, whose it is, what lies ahead. */
export function showConnection(one: Connection, json: boolean): void {
  if (json) {
    printJson(one);
    return;
  }
  printFields({
    Connection: one.connectionId,
    Integration: one.providerConfigKey,
    Account: one.providerAccount?.email,
    'End user': one.endUser?.id,
    State: one.health?.status ?? one.status,
    'Because of': one.health?.reason,
    Since: one.health?.since && shortTime(one.health.since),
    'Granted scopes': one.grantedScopes,
    'Missing scopes': one.missingScopes.length === 0 ? undefined : one.missingScopes,
    Consented: shortTime(one.consentedAt),
    'Access token until': shortTime(one.accessTokenExpiresAt),
    'Last refreshed': shortTime(one.lastRefreshedAt),
    'Last used': shortTime(one.lastUsedAt),
    'Ends with testing mode': one.forecasts.testingModeEndsAt && shortTime(one.forecasts.testingModeEndsAt),
    'Access ends': one.forecasts.accessEndsAt && shortTime(one.forecasts.accessEndsAt),
    'Shares its grant with': one.sharesGrantWith,
  });
  if (one.diagnosis !== undefined) showDiagnosis(one.diagnosis);
}

/** Prints what a check found. */
export function showCheck(result: ConnectionCheck, json: boolean): void {
  if (json) {
    printJson(result);
    return;
  }
  printFields({
    Works: result.works,
    Reason: result.reason,
    Message: result.message,
    'Who can mend it': result.who,
    'What to do': result.remedy,
    'Status of Google': result.upstreamStatus,
  });
  if (result.diagnosis !== undefined) showDiagnosis(result.diagnosis);
}

function showDiagnosis({ likelyCauses, remedy, since, whatHappened, canBeCheckedAgain }: ConnectionDiagnosis): void {
  printFields({
    'Dead since': since && shortTime(since),
    'What happened': whatHappened,
    'What to do': remedy,
    'May work again': canBeCheckedAgain ? 'yes: connections refresh asks Google again' : undefined,
  });
  printTable(
    ['Probable cause', 'Belief', 'Who can mend it', 'What happened'],
    likelyCauses.map((one) => [one.cause, `${Math.round(one.likelihood * 100)} %`, one.who, one.explanation]),
    'No cause is known.',
  );
}
