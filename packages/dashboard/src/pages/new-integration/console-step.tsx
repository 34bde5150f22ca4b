import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Provider } from '../../gateway/library.ts';
import { strictestClass } from '../../model/scopes.ts';
import { ConsoleGuide } from '../../ui/console-guide.tsx';
import type { Draft, DraftProblems } from './draft.ts';

/** What is done in Google's console, and what comes back from there. */
export function ConsoleStep({
  draft,
  problems,
  provider,
  onChange,
}: {
  draft: Draft;
  problems: DraftProblems;
  provider: Provider;
  onChange: (change: Partial<Draft>) => void;
}) {
  const { baseUrl } = useGateway();
  const { server } = provider;
  if (draft.source === 'test') {
    return (
      <Alert type="success" header={`Nothing to do at ${server.displayName}`}>
        Test credentials are already registered. When you switch to your own client, every existing connection will need
        a new authorization.
      </Alert>
    );
  }
  const { scopes, audience } = draft;
  const facts = {
    provider,
    redirectUri: `${baseUrl}/oauth/callback`,
    scopes,
    strictest: strictestClass(scopes, provider.scopes),
    audience,
    agentic: draft.agentic,
  };
  return (
    <SpaceBetween size="l">
      {server.hasTestingMode && (
        <Container header={<Header variant="h2">The app at {server.displayName}</Header>}>
          <SpaceBetween size="m">
            <FormField label="Audience">
              <RadioGroup
                value={audience}
                onChange={({ detail }) => onChange({ audience: detail.value === 'internal' ? 'internal' : 'external' })}
                items={[
                  { value: 'external', label: 'External', description: 'Any Google account.' },
                  {
                    value: 'internal',
                    label: 'Internal',
                    description: 'Accounts of your own Workspace only; no review.',
                  },
                ]}
              />
            </FormField>
            <FormField label="Publishing status">
              <RadioGroup
                value={draft.publishingStatus}
                onChange={({ detail }) =>
                  onChange({ publishingStatus: detail.value === 'production' ? 'production' : 'testing' })
                }
                items={[
                  {
                    value: 'testing',
                    label: 'Testing',
                    description: 'Listed test users; grants end after seven days.',
                  },
                  { value: 'production', label: 'In production', description: 'Published in the console.' },
                ]}
              />
            </FormField>
          </SpaceBetween>
        </Container>
      )}
      <Container header={<Header variant="h2">Step by step</Header>}>
        <ConsoleGuide facts={facts} />
      </Container>
      <Container header={<Header variant="h2">Values from the console</Header>}>
        <SpaceBetween size="m">
          <FormField label="Client ID" errorText={problems.clientId}>
            <Input
              value={draft.clientId}
              placeholder={server.id === 'google' ? '….apps.googleusercontent.com' : ''}
              autoComplete={false}
              onChange={({ detail }) => onChange({ clientId: detail.value })}
            />
          </FormField>
          <FormField
            label="Client secret"
            description="Stored in Secrets Manager and never shown again."
            errorText={problems.clientSecret}
          >
            <Input
              type="password"
              value={draft.clientSecret}
              autoComplete={false}
              onChange={({ detail }) => onChange({ clientSecret: detail.value })}
            />
          </FormField>
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  );
}
