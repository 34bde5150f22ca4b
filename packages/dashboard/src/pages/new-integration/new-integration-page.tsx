import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { IntegrationWizard } from './integration-wizard.tsx';

/** Makes an integration, step by step. */
export default function NewIntegrationPage() {
  const gateway = useGateway();
  const catalogue = useLoad('catalogue', async (signal) => {
    const [providers, integrations] = await Promise.all([
      gateway.providers.list({ signal }),
      gateway.integrations.list({ signal }),
    ]);
    const credentials = await Promise.all(providers.map(({ name }) => gateway.testCredentials.get(name, { signal })));
    return {
      providers,
      taken: integrations.map(({ uniqueKey }) => uniqueKey),
      tryable: credentials.filter(({ clientId }) => clientId !== undefined).map(({ provider }) => provider),
    };
  });
  return (
    <Page title="Create an integration" hasOwnHeading>
      <LoadView loaded={catalogue} height="60vh" what="the providers">
        {(gatewayFacts) => <IntegrationWizard gatewayFacts={gatewayFacts} />}
      </LoadView>
    </Page>
  );
}
