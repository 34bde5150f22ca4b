import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ReconnectLinksCount } from '../../gateway/library.ts';
import { actorText } from '../../model/event-texts.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { FullTime, Time } from '../../ui/time.tsx';

/** Reconnect links that were made, who came back, and a way to withdraw the others. */
export default function ReconnectLinksPage() {
  const gateway = useGateway();
  const loaded = useLoad('reconnect links', (signal) => gateway.connectSessions.listReconnectLinks({ signal }));
  return (
    <Page
      title="Reconnect links"
      description={
        <>
          Create them on the list of{' '}
          <PageLink href="/connections?status=reauthorization_required">dead connections</PageLink>.
        </>
      }
      freshness={<Freshness loaded={loaded} />}
    >
      <LoadView loaded={loaded} height="300px" what="reconnect links">
        {(batches) =>
          batches.length === 0 ? (
            <span>No links were created in the last 90 days.</span>
          ) : (
            <SpaceBetween size="s">
              {batches.map((batch) => (
                <Batch key={batch.id} batch={batch} onRevoked={loaded.reload} />
              ))}
            </SpaceBetween>
          )
        }
      </LoadView>
    </Page>
  );
}

function Batch({ batch, onRevoked }: { batch: ReconnectLinksCount; onRevoked: () => void }) {
  const gateway = useGateway();
  const [shown, setShown] = useAddress('batch');
  const isOpen = shown === batch.id;
  const [isAsking, setAsking] = useState(false);
  const revoke = useAction(async () => {
    await gateway.connectSessions.revokeReconnectLinks(batch.id);
    setAsking(false);
    onRevoked();
  });
  const isOver = batch.revokedAt !== undefined || Date.parse(batch.expiresAt) < Date.now();
  return (
    <ExpandableSection
      variant="container"
      expanded={isOpen}
      onChange={({ detail }) => setShown(detail.expanded ? batch.id : '')}
      headerText={`${batch.cameBack} of ${batch.links} came back`}
      headerDescription={`Created by ${batch.createdBy === undefined ? 'an unknown caller' : actorText(batch.createdBy, batch.createdByName)}`}
    >
      <SpaceBetween size="s">
        <span>
          Made <Time iso={batch.createdAt} />
          {batch.revokedAt === undefined ? '; they work until ' : '; withdrawn '}
          <FullTime iso={batch.revokedAt ?? batch.expiresAt} />.
        </span>
        {!isOver && <ActionButton onClick={() => setAsking(true)}>Withdraw the links</ActionButton>}
        {isOpen && <Links id={batch.id} />}
      </SpaceBetween>
      {isAsking && (
        <Dialog
          title="Withdraw the links"
          actionLabel="Withdraw"
          isRunning={revoke.isRunning}
          error={revoke.error}
          onAction={() => void revoke.run()}
          onClose={() => setAsking(false)}
        >
          From now on, people who open one of these links are asked to request a new one. Users who came back stay
          connected.
        </Dialog>
      )}
    </ExpandableSection>
  );
}

function Links({ id }: { id: string }) {
  const gateway = useGateway();
  const loaded = useLoad(id, (signal) => gateway.connectSessions.followReconnectLinks(id, { signal }));
  return (
    <LoadView loaded={loaded} height="100px" what="links">
      {({ links }) => (
        <ul className="plain-list">
          {links.map((link) => (
            <li key={`${link.providerConfigKey} ${link.connectionId}`}>
              <PageLink href={connectionHref(link)}>
                <Breakable text={link.connectionName} />
              </PageLink>{' '}
              <LinkState state={link.state} /> {link.cameBackAt !== undefined && <Time iso={link.cameBackAt} />}
            </li>
          ))}
        </ul>
      )}
    </LoadView>
  );
}

function LinkState({ state }: { state: string }) {
  switch (state) {
    case 'came_back':
      return <Status type="success">Came back</Status>;
    case 'waiting':
      return <Status type="pending">Not yet</Status>;
    case 'expired':
      return <Status type="stopped">Link expired</Status>;
    case 'revoked':
      return <Status type="stopped">Link withdrawn</Status>;
    default:
      return <Status type="stopped">Connection deleted</Status>;
  }
}
