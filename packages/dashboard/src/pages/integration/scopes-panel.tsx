import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Integration, Provider } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { ScopeList } from '../../ui/scope-list.tsx';
import { ScopePicker } from '../../ui/scope-picker.tsx';

/** The scopes users are asked for, and a way to change them. */
export function ScopesPanel({
  integration,
  provider,
  onChanged,
}: {
  integration: Integration;
  provider: Provider;
  onChanged: () => void;
}) {
  const [chosen, setChosen] = useState<readonly string[] | undefined>(undefined);
  const edit = <ActionButton onClick={() => setChosen(integration.scopes)}>Change the scopes</ActionButton>;
  return (
    <Container
      header={
        <Header variant="h2" actions={chosen === undefined ? edit : undefined}>
          Scopes
        </Header>
      }
    >
      {chosen === undefined ? (
        <ScopeList scopes={integration.scopes} catalogue={provider.scopes} />
      ) : (
        <Editor
          integration={integration}
          provider={provider}
          chosen={chosen}
          onChoose={setChosen}
          onClose={(isSaved) => {
            setChosen(undefined);
            if (isSaved) onChanged();
          }}
        />
      )}
    </Container>
  );
}

function Editor({
  integration,
  provider,
  chosen,
  onChoose,
  onClose,
}: {
  integration: Integration;
  provider: Provider;
  chosen: readonly string[];
  onChoose: (chosen: readonly string[]) => void;
  onClose: (isSaved: boolean) => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const save = useAction(async () => {
    const { warnings } = await gateway.integrations.update(integration.uniqueKey, { scopes: chosen });
    notices.success('The scopes were saved.');
    for (const warning of warnings) notices.warning(warning);
    onClose(true);
  });
  const app = {
    audience: integration.audience === 'internal' ? 'internal' : 'external',
    publishingStatus: integration.publishingStatus === 'production' ? 'production' : 'testing',
    usesTestCredentials: integration.credentialsSource === 'test',
  } as const;
  return (
    <SpaceBetween size="m">
      <Alert type="info">
        New scopes are requested when a user connects or reconnects; existing connections keep what was granted.
      </Alert>
      <ScopePicker catalogue={provider.scopes} chosen={chosen} app={app} onChange={onChoose} />
      <ErrorPanel error={save.error} />
      <Box float="right">
        <SpaceBetween direction="horizontal" size="xs">
          <Button variant="link" onClick={() => onClose(false)}>
            Cancel
          </Button>
          <ActionButton
            variant="primary"
            loading={save.isRunning}
            disabled={chosen.length === 0}
            onClick={() => void save.run()}
          >
            Save the scopes
          </ActionButton>
        </SpaceBetween>
      </Box>
    </SpaceBetween>
  );
}
