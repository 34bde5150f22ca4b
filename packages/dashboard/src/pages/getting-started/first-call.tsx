import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useAddress } from '../../data/use-address.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionSummary, Provider } from '../../gateway/library.ts';
import { titleOf } from '../../model/person.ts';
import { snippets } from '../../model/snippets.ts';
import { CopyBlock } from '../../ui/copy.tsx';
import { ReferenceLink } from '../../ui/reference-link.tsx';

/** The first call in three languages, with the ids of a connection that exists. */
export function FirstCall({
  connections,
  providers,
}: {
  connections: readonly ConnectionSummary[];
  providers: readonly Provider[];
}) {
  const { baseUrl, proxyUrl } = useGateway();
  const [chosenId, setChosenId] = useAddress('connection');
  const [language, setLanguage] = useAddress('language', 'curl');
  const connection = connections.find(({ connectionId }) => connectionId === chosenId) ?? connections[0];
  if (connection === undefined) {
    return <Alert type="info">Connect an account first: its ids are then filled in here.</Alert>;
  }
  const options = connections.map((one) => ({
    value: String(one.id),
    label: titleOf(one),
    description: `${one.providerConfigKey}, ${one.connectionId}`,
  }));
  const { providerConfigKey: integrationId, connectionId } = connection;
  const firstCall = providers.find(({ name }) => name === connection.provider)?.firstCall ?? '/';
  return (
    <SpaceBetween size="m">
      <FormField label="Connection">
        <Select
          selectedOption={options.find(({ value }) => value === String(connection.id)) ?? null}
          options={options}
          onChange={({ detail }) =>
            setChosenId(connections.find(({ id }) => String(id) === detail.selectedOption.value)?.connectionId ?? '')
          }
        />
      </FormField>
      <Alert type="info">
        Set the environment variable GATEWAY_SECRET_KEY on your server to the secret key; do not put the key in the
        code.
      </Alert>
      <Tabs
        ariaLabel="Languages"
        activeTabId={language}
        onChange={({ detail }) => setLanguage(detail.activeTabId)}
        tabs={snippets({ baseUrl, proxyUrl, integrationId, connectionId, firstCall }).map(({ id, label, code }) => ({
          id,
          label,
          content: <CopyBlock text={code} what={`first call in ${label}`} />,
        }))}
      />
      <ReferenceLink connectionRef={connection} />
    </SpaceBetween>
  );
}
