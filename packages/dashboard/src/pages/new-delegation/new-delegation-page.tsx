import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { Provider } from '../../gateway/library.ts';
import { delegationProblem, delegationSettings, NEW_DELEGATION } from '../../model/delegation.ts';
import { integrationIdProblem } from '../../model/integration-id.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { DelegationFields } from '../../ui/delegation-fields.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { integrationHref } from '../../ui/link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { ScopePicker } from '../../ui/scope-picker.tsx';

/** Makes an integration whose service account acts for users of Workspace domains. */
export default function NewDelegationPage() {
  const gateway = useGateway();
  const loaded = useLoad('providers with service accounts', async (signal) => {
    const providers = await gateway.providers.list({ signal });
    return providers.filter(({ server }) => server.id === 'google');
  });
  return (
    <Page
      title="Create an integration of a service account"
      description="It acts for users of Workspace domains whose administrators list it. No user is asked."
    >
      <LoadView loaded={loaded} height="60vh" what="the providers">
        {(providers) => <Form providers={providers} />}
      </LoadView>
    </Page>
  );
}

const EMPTY = { uniqueKey: '', displayName: '', serviceAccount: '', clientId: '', projectNumber: '' };

function Form({ providers }: { providers: readonly Provider[] }) {
  const gateway = useGateway();
  const navigate = useNavigate();
  const notices = useNotices();
  const [name, setName] = useState(providers[0]?.name ?? '');
  const provider = providers.find((one) => one.name === name);
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [about, setAbout] = useState(EMPTY);
  const [draft, setDraft] = useState(NEW_DELEGATION);
  const [isChecked, setChecked] = useState(false);
  const problem =
    integrationIdProblem(about.uniqueKey) ??
    (about.serviceAccount.trim() === '' || about.clientId.trim() === '' || about.projectNumber.trim() === ''
      ? 'Fill in the address, the client ID and the project number of the service account.'
      : scopes.length === 0
        ? 'Choose at least one scope.'
        : delegationProblem(draft, false));
  const create = useAction(async () => {
    const { uniqueKey, displayName, serviceAccount, clientId, projectNumber } = about;
    const made = await gateway.integrations.create({
      provider: name,
      uniqueKey,
      scopes,
      ...(displayName.trim() === '' ? {} : { displayName: displayName.trim() }),
      delegation: {
        ...delegationSettings(draft),
        serviceAccount: serviceAccount.trim(),
        clientId: clientId.trim(),
        projectNumber: projectNumber.trim(),
      },
    });
    notices.success(`Created ${made.displayName}.`);
    navigate(integrationHref(made.uniqueKey));
  });
  const field = (key: keyof typeof EMPTY, label: string, description: string) => (
    <FormField label={label} description={description}>
      <Input
        value={about[key]}
        autoComplete={false}
        spellcheck={false}
        onChange={({ detail }) => setAbout((before) => ({ ...before, [key]: detail.value }))}
      />
    </FormField>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (problem === undefined) void create.run();
      }}
    >
      <SpaceBetween size="l">
        <Container header={<Header variant="h2">Integration</Header>}>
          <SpaceBetween size="m">
            <Choice
              label="Provider"
              options={providers.map(({ name: value, displayName }) => ({ value, label: displayName }))}
              value={name}
              onChoose={(value) => {
                setName(value);
                setScopes([]);
              }}
            />
            {field(
              'uniqueKey',
              'Id',
              'unique_key in the API, such as drive-acme. A customer of yours gets one of their own.',
            )}
            {field('displayName', 'Name', 'Shown to operators. If empty, the name of the provider is shown.')}
          </SpaceBetween>
        </Container>
        <Container header={<Header variant="h2">Service account</Header>}>
          <SpaceBetween size="m">
            {field('serviceAccount', 'Address', 'Such as reports@my-project.iam.gserviceaccount.com')}
            {field('clientId', 'Client ID', 'The numeric Unique ID of the service account, which administrators list.')}
            {field('projectNumber', 'Project number', 'The number of its Google Cloud project, not its id.')}
            <DelegationFields
              draft={draft}
              hasKey={false}
              onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
            />
          </SpaceBetween>
        </Container>
        <Container header={<Header variant="h2">Scopes</Header>}>
          <ScopePicker
            catalogue={provider?.scopes ?? []}
            chosen={scopes}
            app={{ audience: 'external', publishingStatus: 'production', usesTestCredentials: false }}
            asksUsers={false}
            onChange={setScopes}
          />
        </Container>
        <ErrorPanel error={create.error} />
        <div aria-live="polite">{isChecked && problem !== undefined && <Alert type="error">{problem}</Alert>}</div>
        <SpaceBetween direction="horizontal" size="xs">
          <LinkButton href="/integrations">Cancel</LinkButton>
          <ActionButton variant="primary" formAction="submit" loading={create.isRunning}>
            Create the integration
          </ActionButton>
        </SpaceBetween>
      </SpaceBetween>
    </form>
  );
}
