import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { type ReactNode, Suspense, useEffect, useMemo } from 'react';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router';
import type { DashboardConfig } from './config.ts';
import { createFirstSteps } from './data/first-steps.ts';
import { lazyPart } from './data/lazy-part.ts';
import { createOutages } from './data/outages.ts';
import { FEATURES } from './features/index.ts';
import { PAGES } from './features/pages.ts';
import { openGateway } from './gateway/gateway.ts';
import { useWorkplace, WorkplaceProvider } from './gateway/gateway-context.tsx';
import { isDeployed } from './model/features.ts';
import type { Session } from './session/session.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { Placeholder } from './ui/load-view.tsx';
import { NoticesProvider } from './ui/notices.tsx';
import { Shell } from './ui/shell.tsx';

const Overview = lazyPart(() => import('./pages/overview/overview-page.tsx'));
const Integrations = lazyPart(() => import('./pages/integrations/integrations-page.tsx'));
const NewIntegration = lazyPart(() => import('./pages/new-integration/new-integration-page.tsx'));
const NewDelegation = lazyPart(() => import('./pages/new-delegation/new-delegation-page.tsx'));
const Integration = lazyPart(() => import('./pages/integration/integration-page.tsx'));
const Connections = lazyPart(() => import('./pages/connections/connections-page.tsx'));
const Connection = lazyPart(() => import('./pages/connection/connection-page.tsx'));
const FailedCalls = lazyPart(() => import('./pages/failed-calls/failed-calls-page.tsx'));
const Audit = lazyPart(() => import('./pages/audit/audit-page.tsx'));
const ReconnectLinks = lazyPart(() => import('./pages/reconnect-links/reconnect-links-page.tsx'));
const ErasePerson = lazyPart(() => import('./pages/erase-person/erase-person-page.tsx'));
const Keys = lazyPart(() => import('./pages/keys/keys-page.tsx'));
const Key = lazyPart(() => import('./pages/key/key-page.tsx'));
const GettingStarted = lazyPart(() => import('./pages/getting-started/getting-started-page.tsx'));
const LeftOut = lazyPart(() => import('./pages/left-out-page.tsx'));
const ViewersLook = lazyPart(() => import('./pages/viewers-look-page.tsx'));
const NotFound = lazyPart(() => import('./pages/not-found-page.tsx'));

/** The dashboard of a signed-in operator. */
export default function App({ config, session }: { config: DashboardConfig; session: Session }) {
  const workplace = useMemo(() => {
    const gateway = openGateway(config, session);
    return {
      gateway,
      session,
      firstSteps: createFirstSteps(gateway),
      outages: createOutages(),
      without: config.without,
    };
  }, [config, session]);
  useEffect(() => {
    const { idToken } = session;
    // The audit trail then shows a name; without it, it shows an id.
    if (idToken !== undefined && !session.isViewer) workplace.gateway.audit.introduceOperator(idToken).catch(() => {});
  }, [workplace, session]);
  return (
    <I18nProvider locale="en" messages={[messages]}>
      <WorkplaceProvider value={workplace}>
        <NoticesProvider>
          <BrowserRouter>
            <Shell>
              <Pages />
            </Shell>
          </BrowserRouter>
        </NoticesProvider>
      </WorkplaceProvider>
    </I18nProvider>
  );
}

/** A page on which something is made: viewers see why they cannot. */
function ForOperators({ page }: { page: ReactNode }) {
  return useWorkplace().session.isViewer ? <ViewersLook /> : page;
}

/** A page of features: a deployment without all of them has none. */
function Of({ features, page }: { features: readonly string[]; page: ReactNode }) {
  return isDeployed(features, useWorkplace().without) ? page : <LeftOut features={features} />;
}

function Pages() {
  const { pathname } = useLocation();
  return (
    <ErrorBoundary resetKey={pathname}>
      <Suspense fallback={<Placeholder what="the page" height="70vh" />}>
        <Routes>
          <Route path="/" element={<Overview />} />
          <Route path="/integrations" element={<Integrations />} />
          <Route path="/new-integration" element={<ForOperators page={<NewIntegration />} />} />
          <Route path="/new-delegation" element={<ForOperators page={<NewDelegation />} />} />
          <Route path="/integrations/:uniqueKey" element={<Integration key={pathname} />} />
          <Route path="/connections" element={<Connections />} />
          <Route path="/connections/:providerConfigKey/:connectionId" element={<Connection key={pathname} />} />
          <Route path="/calls" element={<FailedCalls />} />
          <Route path="/audit" element={<Audit />} />
          <Route path="/reconnect-links" element={<ReconnectLinks />} />
          <Route path="/erase-person" element={<ErasePerson />} />
          <Route path="/keys" element={<Keys />} />
          <Route path="/keys/:keyId" element={<Key key={pathname} />} />
          <Route path="/getting-started" element={<GettingStarted />} />
          {featureRoutes(pathname)}
          <Route path="*" element={<NotFound key={pathname} />} />
        </Routes>
      </Suspense>
    </ErrorBoundary>
  );
}

function featureRoutes(pathname: string): ReactNode {
  return Object.entries(FEATURES).flatMap(([id, { pages = [] }]) =>
    pages.map(({ path, startsAgain, features = [id] }) => {
      const Page = PAGES[id]?.[path];
      const page = Page === undefined ? <NotFound /> : <Page key={startsAgain ? pathname : undefined} />;
      return <Route key={path} path={path} element={<Of features={features} page={page} />} />;
    }),
  );
}
