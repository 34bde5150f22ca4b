import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tiles from '@cloudscape-design/components/tiles';
import type { Provider } from '../../gateway/library.ts';
import { suggestIntegrationId } from '../../model/integration-id.ts';
import { type Draft, type DraftProblems, firstDraft } from './draft.ts';

/** Which provider, whose OAuth client, and under which name. */
export function ProviderStep({
  draft,
  problems,
  providers,
  taken,
  onChange,
}: {
  draft: Draft;
  problems: DraftProblems;
  providers: readonly Provider[];
  taken: readonly string[];
  onChange: (change: Partial<Draft>) => void;
}) {
  const chooseProvider = (name: string): void => {
    const chosen = providers.find((one) => one.name === name);
    // Scopes and a suggested id belong to the provider; what was typed stays.
    const { provider, scopes } = firstDraft(chosen, '');
    const wasSuggested = providers.some((one) => draft.uniqueKey === suggestIntegrationId(one.name, taken));
    onChange({ provider, scopes, ...(wasSuggested ? { uniqueKey: suggestIntegrationId(name, taken) } : {}) });
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
                description: "The operator's client: works at once, for testing only. You can switch later.",
              },
              {
                value: 'own',
                label: 'Your own client',
                description: 'Made in your Google Cloud project: what end users see, and what goes live.',
              },
            ]}
          />
        </FormField>
        <FormField
          label="Id"
          description="Your code names it in every call (Provider-Config-Key). It cannot change while connections exist."
          errorText={problems.uniqueKey}
        >
          <Input value={draft.uniqueKey} onChange={({ detail }) => onChange({ uniqueKey: detail.value })} />
        </FormField>
        <FormField label="Name" description="Shown to people. Left empty, the provider's name is taken.">
          <Input value={draft.displayName} onChange={({ detail }) => onChange({ displayName: detail.value })} />
        </FormField>
      </SpaceBetween>
    </Container>
  );
}
