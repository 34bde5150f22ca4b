import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useAddress } from '../../data/use-address.ts';
import { useNarrow } from '../../data/use-narrow.ts';
import type { Integration } from '../../gateway/library.ts';
import { isSecretFault } from '../../model/client-fault.ts';
import { originOf } from '../../model/console-steps.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyValue } from '../../ui/copy.tsx';
import { FullTime } from '../../ui/time.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

/** Whose OAuth client it is. The secret is never shown, only replaced. */
export function CredentialsPanel({
  integration,
  redirectUri,
  onChanged,
}: {
  integration: Integration;
  redirectUri: string;
  onChanged: () => void;
}) {
  const isNarrow = useNarrow();
  const [wish, setWish] = useAddress('do');
  const isRotating = wish === 'rotate';
  const setRotating = (open: boolean): void => setWish(open ? 'rotate' : '');
  const isTest = integration.credentialsSource === 'test';
  const fault = integration.credentialsFault;
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <ActionButton onClick={() => setRotating(true)}>
              {isTest ? 'Use your own client' : 'Rotate the secret'}
            </ActionButton>
          }
        >
          Credentials
        </Header>
      }
    >
      <SpaceBetween size="m">
        {fault !== undefined && (
          <Alert
            type="error"
            header="Google refuses this client"
            action={
              isSecretFault(fault.error) && (
                <ActionButton onClick={() => setRotating(true)}>Replace the client secret</ActionButton>
              )
            }
          >
            It answers <code>{fault.error}</code> since <FullTime iso={fault.since} />.{' '}
            {isSecretFault(fault.error)
              ? 'The secret was changed or removed in Google’s console.'
              : 'Look for the reason in Google’s console; a new secret does not help.'}{' '}
            Connections are not affected, but no token can be refreshed until this is fixed.
          </Alert>
        )}
        <KeyValuePairs
          columns={isNarrow ? 1 : 2}
          items={[
            { label: 'OAuth client', value: isTest ? "The operator's test credentials" : 'Your own' },
            {
              label: 'Client ID',
              value:
                integration.clientId === undefined ? (
                  'Part of the test credentials'
                ) : (
                  <CopyValue what="client ID" value={integration.clientId} />
                ),
            },
            { label: 'Client secret', value: isTest ? 'Part of the test credentials' : 'Stored; never shown' },
            { label: 'Redirect URI', value: <CopyValue what="redirect URI" value={redirectUri} /> },
            { label: 'JavaScript origin', value: <CopyValue what="origin" value={originOf(redirectUri)} /> },
          ]}
        />
      </SpaceBetween>
      {isRotating && (
        <RotateDialog
          integration={integration}
          onClose={() => setRotating(false)}
          onDone={() => {
            setRotating(false);
            onChanged();
          }}
        />
      )}
    </Container>
  );
}
