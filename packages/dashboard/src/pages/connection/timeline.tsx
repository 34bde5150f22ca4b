import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ConnectionEvent, ConnectionRef, EventPage } from '../../gateway/library.ts';
import { actorText, eventText, remarkText } from '../../model/event-texts.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Status } from '../../ui/status.tsx';
import { FullTime } from '../../ui/time.tsx';

/** What has happened to a connection, newest first. @param round another number loads it again */
export function Timeline({ connectionRef, round }: { connectionRef: ConnectionRef; round: number }) {
  const gateway = useGateway();
  const loaded = useLoad(`events ${connectionRef.providerConfigKey} ${connectionRef.connectionId} ${round}`, (signal) =>
    gateway.connections.events(connectionRef, { signal }),
  );
  return (
    <Container>
      <LoadView loaded={loaded} height="240px" what="the timeline">
        {(page) => <Events key={page.events[0]?.eventId ?? ''} first={page} connectionRef={connectionRef} />}
      </LoadView>
    </Container>
  );
}

function Events({ first, connectionRef }: { first: EventPage; connectionRef: ConnectionRef }) {
  const gateway = useGateway();
  const [older, setOlder] = useState<readonly EventPage[]>([]);
  const pages = [first, ...older];
  const before = pages.at(-1)?.nextBefore;
  const more = useAction(async () => {
    const page = await gateway.connections.events(connectionRef, before === undefined ? {} : { before });
    setOlder((all) => [...all, page]);
  });
  const events = pages.flatMap((page) => page.events);
  if (events.length === 0) return <Box>Nothing has happened yet.</Box>;
  return (
    <>
      <ol className="timeline">
        {events.map((event) => (
          <EventItem key={event.eventId} event={event} />
        ))}
      </ol>
      <ErrorPanel error={more.error} />
      {before !== undefined && (
        <Button loading={more.isRunning} onClick={() => void more.run()}>
          Show older events
        </Button>
      )}
    </>
  );
}

function EventItem({ event }: { event: ConnectionEvent }) {
  const { title, tone } = eventText(event.type);
  const remark = remarkText(event.type, event.data, (keyId) => (event.actor === `key:${keyId}` ? undefined : keyId));
  return (
    <li className="wrap">
      <Status type={tone}>{title}</Status>
      {remark !== undefined && (
        <div>
          {guessMark(event)}
          {remark}
        </div>
      )}
      {event.remedy !== undefined && event.remedy !== '' && <div className="soft">{event.remedy}</div>}
      <Box fontSize="body-s" color="text-body-secondary">
        <FullTime iso={event.time} />, by {actorText(event.actor, event.actorName)}
      </Box>
    </li>
  );
}

/** An event says in its remedy whether the cause is a guess. */
function guessMark({ remedy }: ConnectionEvent): string {
  return remedy?.startsWith('Probably:') === true ? 'Probably: ' : '';
}
