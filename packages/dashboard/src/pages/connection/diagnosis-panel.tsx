import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useState } from 'react';
import type { Connection, Integration, LikelyCause } from '../../gateway/library.ts';
import { causeLabel, whoCanFix } from '../../model/causes.ts';
import { isSecretFault } from '../../model/client-fault.ts';
import { ActionButton, ActionLink } from '../../ui/action-button.tsx';
import { ReconnectLinksDialog } from '../../ui/connect/reconnect-links-dialog.tsx';
import { domainsHref, integrationHref, PageLink, searchHref } from '../../ui/link.tsx';
import { ConsoleButton, LinkButton } from '../../ui/link-button.tsx';
import { FullTime } from '../../ui/time.tsx';

/** Why a connection is dead or fails, how sure that is, who can fix it, and the button that begins it; or what lies ahead of a live one. */
export function DiagnosisPanel({
  connection,
  integration,
  onChanged,
}: {
  connection: Connection;
  integration: Integration;
  onChanged: () => void;
}) {
  const { diagnosis } = connection;
  const isDelegated = integration.delegation !== undefined;
  const wayBack = <WayBack connection={connection} isDelegated={isDelegated} onClose={onChanged} />;
  return diagnosis === undefined ? (
    <SpaceBetween size="xs">
      <NotRenewed connection={connection} />
      <Failing connection={connection} wayBack={wayBack} />
      <ComingEnd connection={connection} wayBack={wayBack} />
      <MissingScopes connection={connection} wayBack={wayBack} />
    </SpaceBetween>
  ) : (
    <Death connection={connection} diagnosis={diagnosis} isDelegated={isDelegated} wayBack={wayBack} />
  );
}

function Death({
  connection,
  diagnosis,
  isDelegated,
  wayBack,
}: {
  connection: Connection;
  diagnosis: NonNullable<Connection['diagnosis']>;
  isDelegated: boolean;
  wayBack: ReactNode;
}) {
  const [likeliest, ...others] = diagnosis.likelyCauses;
  const probably = diagnosis.certain ? '' : 'probably: ';
  return (
    <Alert
      type="error"
      header={`${isDelegated ? 'Google refuses its user' : 'Needs a new authorization'}: ${probably}${causeLabel(diagnosis.cause)}`}
      action={
        <SpaceBetween direction="horizontal" size="xs">
          <CauseButton cause={diagnosis.cause} integrationId={connection.providerConfigKey} />
          {wayBack}
        </SpaceBetween>
      }
    >
      <SpaceBetween size="s">
        {diagnosis.whatHappened !== '' && <span>{diagnosis.whatHappened}</span>}
        <span>
          <b>What to do:</b> {diagnosis.remedy}
        </span>
        <Box fontSize="body-s">
          Since <FullTime iso={diagnosis.since} />. {certainty(likeliest, diagnosis.certain)}
        </Box>
        {diagnosis.evidence !== undefined && <Evidence evidence={diagnosis.evidence} />}
        {others.length > 0 && (
          <details>
            <summary>Other possible causes</summary>
            <ul className="plain-list">
              {others.map((one) => (
                <li key={one.cause}>
                  {one.explanation} ({percent(one)}; {whoCanFix(one.who)} can fix it: {one.remedy})
                </li>
              ))}
            </ul>
          </details>
        )}
      </SpaceBetween>
    </Alert>
  );
}

/** What Google has signed, in its own words. */
function Evidence({ evidence }: { evidence: NonNullable<NonNullable<Connection['diagnosis']>['evidence']> }) {
  const { type, reason, statedAt } = evidence;
  return (
    <Box fontSize="body-s">
      Google stated it: security event <code>{type}</code>
      {reason !== undefined && (
        <>
          {' '}
          (reason <code>{reason}</code>)
        </>
      )}
      , <FullTime iso={statedAt} />.
    </Box>
  );
}

/** Where somebody else than the end user has something to do first. */
function CauseButton({ cause, integrationId }: { cause: string; integrationId: string }) {
  switch (cause) {
    case 'testing_mode_expired':
      return <ConsoleButton section="audience">Publish the app at Google</ConsoleButton>;
    case 'credentials_changed':
      return <LinkButton href={integrationHref(integrationId)}>View the client</LinkButton>;
    default:
      return null;
  }
}

/** Makes a link at once, to be sent to the end user; a user of a service account has nothing to consent to. */
function WayBack({
  connection,
  isDelegated,
  onClose,
}: {
  connection: Connection;
  isDelegated: boolean;
  onClose: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  if (isDelegated) return <LinkButton href={domainsHref(connection.providerConfigKey)}>Open its domains</LinkButton>;
  return (
    <>
      <ActionButton onClick={() => setOpen(true)}>Create a reconnect link</ActionButton>
      {isOpen && (
        <ReconnectLinksDialog
          refs={[connection]}
          isAtOnce
          onClose={() => {
            setOpen(false);
            onClose();
          }}
        />
      )}
    </>
  );
}

/** Google does not renew its token: a warning until it has refused for long enough to be the connection's health. */
function NotRenewed({ connection: { refreshRefusal, health } }: { connection: Connection }) {
  if (refreshRefusal === undefined) return null;
  const { providerError, whatHappened, remedy, since } = refreshRefusal;
  const isReported = health?.status === 'refused_by_provider';
  return (
    <Alert
      type={isReported ? 'error' : 'warning'}
      header={
        <>
          Google does not renew its token: <code>{providerError}</code>
        </>
      }
    >
      <SpaceBetween size="s">
        <span>{whatHappened}</span>
        <span>
          <b>What to do:</b> {remedy}
        </span>
        <Box fontSize="body-s">
          Since <FullTime iso={since} />. No other connection is affected, and the gateway keeps asking. Calls fail once
          the last token has expired.
        </Box>
      </SpaceBetween>
    </Alert>
  );
}

/** Google refuses its calls, or the client behind it. */
function Failing({ connection, wayBack }: { connection: Connection; wayBack: ReactNode }) {
  const { health, callFault, providerConfigKey } = connection;
  if (health?.status === 'client_refused') {
    return (
      <Alert
        type="error"
        header="Google refuses the OAuth client of its integration"
        action={
          isSecretFault(health.reason) ? (
            <ActionLink href={`${integrationHref(providerConfigKey)}?do=rotate`}>Replace the client secret</ActionLink>
          ) : (
            <LinkButton href={integrationHref(providerConfigKey)}>Open the integration</LinkButton>
          )
        }
      >
        The connection is not the cause. No token can be refreshed until the client is fixed.
      </Alert>
    );
  }
  if (health?.status !== 'failing') return null;
  return (
    <Alert
      type="error"
      header={
        <>
          Google refuses its calls: <code>{health.reason}</code>
        </>
      }
      action={
        <SpaceBetween direction="horizontal" size="xs">
          {callFault?.consoleUrl !== undefined && (
            <Button href={callFault.consoleUrl} target="_blank" iconName="external" iconAlign="right">
              Open Google’s console
            </Button>
          )}
          {callFault?.who === 'end_user' && wayBack}
          <LinkButton href="?tab=calls&calls=failed">Show the failed calls</LinkButton>
        </SpaceBetween>
      }
    >
      <SpaceBetween size="s">
        <span>The grant is valid. {callFault?.whatHappened}</span>
        {callFault !== undefined && (
          <span>
            <b>What to do:</b> {callFault.remedy}
          </span>
        )}
        <Box fontSize="body-s">
          Since <FullTime iso={health.since} />. {callFault !== undefined && `${whoCanFix(callFault.who)} can fix it. `}
          This state ends with the next successful call.
        </Box>
      </SpaceBetween>
    </Alert>
  );
}

function MissingScopes({ connection, wayBack }: { connection: Connection; wayBack: ReactNode }) {
  const { missingScopes } = connection;
  if (missingScopes.length === 0) return null;
  return (
    <Alert type="warning" header="Not everything was granted" action={wayBack}>
      The user did not grant <PageLink href="?tab=scopes">{missingScopes.length} of the requested scopes</PageLink>.
      Calls that need them get 403. Reconnecting asks for them again.
    </Alert>
  );
}

function ComingEnd({ connection, wayBack }: { connection: Connection; wayBack: ReactNode }) {
  const { forecasts, providerAccount } = connection;
  const { testingModeEndsAt, accessEndsAt, refreshTokenLimit } = forecasts;
  const email = providerAccount?.email;
  return (
    <>
      {testingModeEndsAt !== undefined && (
        <Alert
          type="warning"
          header="Google treats the app as Testing"
          action={<ConsoleButton section="audience">Publish the app at Google</ConsoleButton>}
        >
          Google ends this grant on <FullTime iso={testingModeEndsAt} />, seven days after consent. Publish the app in
          Google's console, then ask the user to connect again; neither refreshing nor publishing changes this date.
        </Alert>
      )}
      {accessEndsAt !== undefined && (
        <Alert type="warning" header="Access was granted for a limited time" action={wayBack}>
          It ends on <FullTime iso={accessEndsAt} />. Ask the user to reconnect before that.
        </Alert>
      )}
      {refreshTokenLimit !== undefined && (
        <Alert
          type="warning"
          header="Near Google's limit of refresh tokens"
          action={email && <LinkButton href={searchHref(email)}>Show the account's connections</LinkButton>}
        >
          This Google account may have {refreshTokenLimit.live} of {refreshTokenLimit.limit} live refresh tokens for one
          client, one per consent. Above this limit, each new consent silently ends the oldest token. Deleting a
          connection here frees a token only if its grant is revoked too.
        </Alert>
      )}
    </>
  );
}

function certainty(likeliest: LikelyCause | undefined, certain: boolean): string {
  if (likeliest === undefined) return '';
  const who = `${whoCanFix(likeliest.who)} can fix it.`;
  if (certain) return `The cause is certain. ${who}`;
  return `Google does not state the cause; this is the most likely one (${percent(likeliest)}). ${who}`;
}

function percent({ likelihood }: LikelyCause): string {
  return `${Math.round(likelihood * 100)} %`;
}
