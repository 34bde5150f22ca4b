import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import type { SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useWorkplace } from '../../gateway/gateway-context.tsx';
import type { Integration, IntegrationSettings } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { SavedPublicNames } from '../../ui/public-names.tsx';
import { QuotaField } from './quota-field.tsx';

const AUDIENCES: readonly SelectProps.Option[] = [
  { value: 'external', label: 'External' },
  { value: 'internal', label: 'Internal' },
];
const STATUSES: readonly SelectProps.Option[] = [
  { value: 'testing', label: 'Testing' },
  { value: 'production', label: 'In production' },
];
const MODES: readonly SelectProps.Option[] = [
  { value: 'test', label: 'Test' },
  { value: 'live', label: 'Live: test credentials are refused' },
];

/** Target of readiness's links to these settings. */
export const SETTINGS_ANCHOR = 'settings';

/** Settings of the app at the gateway. Shown as saved at once, and reverted when the gateway refuses. */
export function SettingsPanel({
  integration,
  onSaving,
  onSaved,
}: {
  integration: Integration;
  onSaving: (integration: Integration) => void;
  onSaved: () => void;
}) {
  const { gateway, session } = useWorkplace();
  const notices = useNotices();
  const [name, setName] = useState(integration.displayName);
  const [publicName, setPublicName] = useState(integration.publicName ?? '');
  const [domain, setDomain] = useState(integration.hostedDomain ?? '');
  const save = useAction<IntegrationSettings>(async (change) => {
    onSaving({ ...integration, ...change, ...savedValues(integration, change) });
    try {
      const { warnings } = await gateway.integrations.update(integration.uniqueKey, change);
      for (const warning of warnings) notices.warning(warning);
    } catch (error) {
      onSaving(integration);
      throw error;
    }
    notices.success('Saved.');
    onSaved();
  });
  const isAsked = useLocation().hash === `#${SETTINGS_ANCHOR}`;
  useEffect(() => {
    if (isAsked) document.getElementById(SETTINGS_ANCHOR)?.scrollIntoView({ block: 'center' });
  }, [isAsked]);
  const changeTo = (change: IntegrationSettings): void => void save.run(change);
  return (
    <Container
      header={
        <Header variant="h2">
          <span id={SETTINGS_ANCHOR}>Settings</span>
        </Header>
      }
    >
      <SpaceBetween size="m">
        <ErrorPanel error={save.error} />
        <FormField
          label="Name"
          secondaryControl={
            <ActionButton
              ariaLabel="Save the name"
              disabled={name.trim() === '' || name === integration.displayName}
              onClick={() => changeTo({ displayName: name.trim() })}
            >
              Save
            </ActionButton>
          }
        >
          <Input value={name} onChange={({ detail }) => setName(detail.value)} />
        </FormField>
        <FormField
          label="Name for end users"
          description="Shown on pages that end users see. If empty, the name above is shown."
          secondaryControl={
            <ActionButton
              ariaLabel="Save the name for end users"
              disabled={publicName.trim() === (integration.publicName ?? '')}
              onClick={() => changeTo({ publicName: publicName.trim() === '' ? null : publicName.trim() })}
            >
              Save
            </ActionButton>
          }
        >
          <Input value={publicName} onChange={({ detail }) => setPublicName(detail.value)} />
        </FormField>
        <SavedPublicNames saved={integration.publicNames ?? {}} onSave={(publicNames) => changeTo({ publicNames })} />
        <QuotaField saved={integration.quota} onSave={(quota) => changeTo({ quota })} />
        {integration.delegation === undefined && (
          <SpaceBetween size="m">
            <FormField
              label="Workspace domain"
              description="Only accounts of this domain can connect. * allows any work or school account; an empty field allows every account."
              secondaryControl={
                <ActionButton
                  ariaLabel="Save the domain"
                  disabled={domain.trim().toLowerCase() === (integration.hostedDomain ?? '')}
                  onClick={() => changeTo({ hostedDomain: domain.trim() === '' ? null : domain.trim().toLowerCase() })}
                >
                  Save
                </ActionButton>
              }
            >
              <Input value={domain} placeholder="example.com" onChange={({ detail }) => setDomain(detail.value)} />
            </FormField>
            <Choice
              isDisabled={session.isViewer}
              label="Publishing status at Google"
              options={STATUSES}
              value={integration.publishingStatus}
              onChoose={(value) => changeTo({ publishingStatus: value === 'production' ? 'production' : 'testing' })}
            />
            <Choice
              isDisabled={session.isViewer}
              label="Audience at Google"
              options={AUDIENCES}
              value={integration.audience}
              onChoose={(value) => changeTo({ audience: value === 'internal' ? 'internal' : 'external' })}
            />
            <Choice
              isDisabled={session.isViewer}
              label="Mode"
              options={MODES}
              value={integration.mode}
              onChoose={(value) => changeTo({ mode: value === 'live' ? 'live' : 'test' })}
            />
            <Toggle
              disabled={session.isViewer}
              checked={integration.includeGrantedScopes ?? true}
              description="When a user is asked for more scopes, previously granted scopes are kept."
              onChange={({ detail }) => changeTo({ includeGrantedScopes: detail.checked })}
            >
              Incremental authorization
            </Toggle>
          </SpaceBetween>
        )}
      </SpaceBetween>
    </Container>
  );
}

/** Values that null removes. */
function savedValues(
  { hostedDomain, publicName, publicNames, budget, quota }: Integration,
  change: IntegrationSettings,
) {
  return {
    hostedDomain: change.hostedDomain === undefined ? hostedDomain : (change.hostedDomain ?? undefined),
    publicName: change.publicName === undefined ? publicName : (change.publicName ?? undefined),
    publicNames: change.publicNames === undefined ? publicNames : (change.publicNames ?? undefined),
    budget: change.budget === undefined ? budget : (change.budget ?? undefined),
    quota: change.quota === undefined ? quota : (change.quota ?? undefined),
  };
}
