import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tiles from '@cloudscape-design/components/tiles';
import { useFeature } from '../../gateway/gateway-context.tsx';
import { suggestIntegrationId } from '../../model/integration-id.ts';
import { givenNames } from '../../model/public-names.ts';
import { PublicNamesFields } from '../../ui/public-names.tsx';
import { type Draft, type DraftProblems, firstDraft, type GatewayFacts } from './draft.ts';

/** Which provider, whose OAuth client, and under which name. */
export function ProviderStep({
  draft,
  problems,
  gatewayFacts,
  onChange,
}: {
  draft: Draft;
  problems: DraftProblems;
  gatewayFacts: GatewayFacts;
  onChange: (change: Partial<Draft>) => void;
}) {
  const { providers, taken, tryable } = gatewayFacts;
  const chosenProvider = providers.find(({ name }) => name === draft.provider);
  const server = chosenProvider?.server;
  const [hasAgents, hasFeeds] = [useFeature('agents'), useFeature('feeds')];
  const canServeAgents = hasAgents && chosenProvider?.console.enableToolServerUrl !== undefined;
  const canTry = tryable.includes(draft.provider);
  const chooseProvider = (name: string): void => {
    const chosen = providers.find((one) => one.name === name);
    // Scopes and a suggested id belong to the provider; what was typed stays.
    const { provider, scopes, source, publishingStatus, agentic } = firstDraft(chosen, '', tryable);
    const wasSuggested = providers.some((one) => draft.uniqueKey === suggestIntegrationId(one.name, taken));
    onChange({
      provider,
      scopes,
      publishingStatus,
      agentic,
      ...(source === 'own' ? { source } : {}),
      ...(wasSuggested ? { uniqueKey: suggestIntegrationId(name, taken) } : {}),
    });
  };
  return (
    <Container>
      <SpaceBetween size="l">
        <FormField label="Provider" stretch>
          <Tiles
            value={draft.provider}
            onChange={({ detail }) => chooseProvider(detail.value)}
            items={providers.map(({ name, displayName, categories }) => ({
              value: name,
              label: displayName,
              description: categories.join(', '),
            }))}
          />
        </FormField>
        <FormField label="OAuth client" stretch>
          <Tiles
            value={draft.source}
            onChange={({ detail }) => onChange({ source: detail.value === 'own' ? 'own' : 'test' })}
            items={[
              {
                value: 'test',
                label: 'Test credentials',
                disabled: !canTry,
                description: canTry
                  ? "The operator's client. It works at once, but only for testing. You can switch later."
                  : 'This provider has none. Set them on the page Integrations.',
              },
              {
                value: 'own',
                label: 'Your own client',
                description: `${server?.id === 'google' ? 'Created in your Google Cloud project' : `Created at ${server?.displayName}`}. End users see it, and production needs it.`,
              },
            ]}
          />
        </FormField>
        {draft.source === 'own' && canServeAgents && (
          <FormField label="Used by" stretch>
            <Tiles
              value={draft.agentic ? 'agents' : 'app'}
              onChange={({ detail }) => onChange({ agentic: detail.value === 'agents' })}
              items={[
                {
                  value: 'app',
                  label: 'Your app',
                  description: `${hasFeeds ? 'The proxy, feeds,' : 'The proxy'} and the file picker: REST APIs.`,
                },
                {
                  value: 'agents',
                  label: 'AI agents',
                  description: `Google's MCP servers only: no proxy${hasFeeds ? ', feeds' : ''} or file picker. Needs a client that is marked for agents when it is created at Google. This cannot be changed later, neither there nor here.`,
                },
              ]}
            />
          </FormField>
        )}
        <FormField
          label="Id"
          description="Your code sends it in every call (Provider-Config-Key). It cannot be changed while connections exist."
          errorText={problems.uniqueKey}
        >
          <Input value={draft.uniqueKey} onChange={({ detail }) => onChange({ uniqueKey: detail.value })} />
        </FormField>
        <FormField
          label="Name"
          description="Shown to operators. If empty, the provider's name is used."
          errorText={problems.displayName}
        >
          <Input value={draft.displayName} onChange={({ detail }) => onChange({ displayName: detail.value })} />
        </FormField>
        <FormField
          label="Name for end users"
          description="Shown on the connect page. If empty, the name above is shown."
          errorText={problems.publicName}
        >
          <Input value={draft.publicName} onChange={({ detail }) => onChange({ publicName: detail.value })} />
        </FormField>
        <PublicNamesFields
          names={draft.publicNames}
          count={Object.keys(givenNames(draft.publicNames) ?? {}).length}
          onChange={(publicNames) => onChange({ publicNames })}
        />
      </SpaceBetween>
    </Container>
  );
}
