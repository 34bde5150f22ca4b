import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Connection, LikelyCause } from '../../gateway/library.ts';
import { causeLabel, menderLabel } from '../../model/causes.ts';
import { FullTime } from '../../ui/time.tsx';

/** Why a connection is dead, how sure that is, and who can mend it; or what lies ahead of a live one. */
export function DiagnosisPanel({ connection }: { connection: Connection }) {
  const { diagnosis, missingScopes } = connection;
  if (diagnosis === undefined) {
    return (
      <SpaceBetween size="xs">
        <ComingEnd connection={connection} />
        {missingScopes.length > 0 && (
          <Alert type="warning" header="Not everything was granted">
            The user did not grant {missingScopes.length} of the requested scopes; calls that need them answer 403.
            Reconnect to ask again.
          </Alert>
        )}
      </SpaceBetween>
    );
  }
  const [likeliest, ...others] = diagnosis.likelyCauses;
  const probably = diagnosis.certain ? '' : 'probably: ';
  return (
    <Alert type="error" header={`Needs a new authorization: ${probably}${causeLabel(diagnosis.cause)}`}>
      <SpaceBetween size="s">
        {diagnosis.whatHappened !== '' && <span>{diagnosis.whatHappened}</span>}
        <span>
          <b>What to do:</b> {diagnosis.remedy}
        </span>
        <Box fontSize="body-s">
          Since <FullTime iso={diagnosis.since} />. {certainty(likeliest, diagnosis.certain)}
        </Box>
        {others.length > 0 && (
          <details>
            <summary>Other explanations</summary>
            <ul className="plain-list">
              {others.map((one) => (
                <li key={one.cause}>
                  {one.explanation} ({percent(one)}; {menderLabel(one.who)} can mend it: {one.remedy})
                </li>
              ))}
            </ul>
          </details>
        )}
      </SpaceBetween>
    </Alert>
  );
}

function ComingEnd({ connection: { forecasts } }: { connection: Connection }) {
  const { testingModeEndsAt, accessEndsAt, refreshTokenLimit } = forecasts;
  return (
    <>
      {testingModeEndsAt !== undefined && (
        <Alert type="warning" header="Google treats the app as Testing">
          Google ends this grant on <FullTime iso={testingModeEndsAt} />, seven days after consent. Publish the app in
          Google's console, then ask the user to connect again; neither refreshing nor publishing moves the date.
        </Alert>
      )}
      {accessEndsAt !== undefined && (
        <Alert type="warning" header="Access was granted for a limited time">
          It ends on <FullTime iso={accessEndsAt} />. Ask the user to reconnect before that.
        </Alert>
      )}
      {refreshTokenLimit !== undefined && (
        <Alert type="warning" header="Near Google's limit of refresh tokens">
          This Google account may have {refreshTokenLimit.live} of {refreshTokenLimit.limit} live refresh tokens under
          one client, one per consent. Beyond it each new consent silently ends the oldest. Deleting a connection here
          frees none, unless its grant is revoked with it.
        </Alert>
      )}
    </>
  );
}

function certainty(likeliest: LikelyCause | undefined, certain: boolean): string {
  if (likeliest === undefined) return '';
  const who = `${menderLabel(likeliest.who)} can mend it.`;
  if (certain) return `The cause is certain. ${who}`;
  return `Google does not name the cause; this is the probable one (${percent(likeliest)}). ${who}`;
}

function percent({ likelihood }: LikelyCause): string {
  return `${Math.round(likelihood * 100)} %`;
}
