import type { Connection, ConnectionCheck, ConnectionDiagnosis, ConnectionSummary } from '../client/src/index.ts';
import type { CommandContext } from './command-context.ts';
import { printAnswer, printFields, printTable, shortTime, stateCell } from './output.ts';

/** Prints a connection: its state, whose it is, what lies ahead. */
export async function showConnection(one: Connection, context: CommandContext): Promise<void> {
  if (context.json) return printAnswer(context);
  printFields({
    Connection: one.connectionId,
    Integration: one.providerConfigKey,
    Account: one.providerAccount?.email,
    'End user': one.endUser?.id,
    Health: stateCell(healthInWords(one)),
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
  if (one.refreshRefusal !== undefined) {
    const { whatHappened, remedy, since } = one.refreshRefusal;
    printFields({ 'Not renewed since': shortTime(since), 'What happened': whatHappened, 'What to do': remedy });
  }
  if (one.diagnosis !== undefined) showDiagnosis(one.diagnosis);
}

/** The health of a connection's calls: the word, and the reason. */
export function healthInWords({ health, status, cause }: ConnectionSummary): string {
  if (health === undefined) return cause === undefined ? status : `${status}: probably ${cause}`;
  const { reason, endsAt } = health;
  const word = health.status;
  if (endsAt !== undefined) return `${word}: ${shortTime(endsAt)} (${reason})`;
  if (reason === undefined) return word;
  return `${word}: ${word !== 'dead' || health.certain === true ? '' : 'probably '}${reason}`;
}

/** Prints a check's result. */
export async function showCheck(result: ConnectionCheck, context: CommandContext): Promise<void> {
  if (context.json) return printAnswer(context);
  printFields({
    Works: result.works,
    Reason: result.reason,
    Message: result.message,
    'Who can fix it': result.who,
    'What to do': result.remedy,
    'Status of the answer': result.upstreamStatus,
  });
  if (result.diagnosis !== undefined) showDiagnosis(result.diagnosis);
}

function showDiagnosis({ likelyCauses, remedy, since, whatHappened, canBeCheckedAgain }: ConnectionDiagnosis): void {
  printFields({
    'Dead since': since && shortTime(since),
    'What happened': whatHappened,
    'What to do': remedy,
    'May work again': canBeCheckedAgain ? 'yes: connections refresh asks the provider again' : undefined,
  });
  printTable(
    ['Probable cause', 'Likelihood', 'Who can fix it', 'What happened'],
    likelyCauses.map((one) => [one.cause, `${Math.round(one.likelihood * 100)} %`, one.who, one.explanation]),
    'No cause is known.',
  );
}
