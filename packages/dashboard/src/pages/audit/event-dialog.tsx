import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { AuditEvent } from '../../gateway/library.ts';
import { eventText } from '../../model/event-texts.ts';
import { CopyValue } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FullTime } from '../../ui/time.tsx';

/** Members of every event that have a line of their own. */
const SHOWN_ABOVE = new Set([
  ...['event_id', 'request_id', 'time', 'actor', 'provider_config_key', 'integration_id'],
  ...['connection_id', 'end_user_id', 'account_id', 'sequence'],
]);

function spelled(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** All that is on record of one event, with the ids to look for in logs. */
export function EventDialog({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const { type, time, actor, requestId, eventId, providerConfigKey, connectionId, endUserId, data } = event;
  const ids = [
    ['Request id', requestId],
    ['Event id', eventId],
    ['Who', actor],
    ['Integration', providerConfigKey],
    ['Connection id', connectionId],
    ['End user', endUserId],
    ...Object.entries(data).flatMap(([name, value]) =>
      SHOWN_ABOVE.has(name) ? [] : [[spelled(name), value] as const],
    ),
  ] as const;
  return (
    <Dialog title={eventText(type).title} onClose={onClose}>
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Type', value: <code>{type}</code> },
          { label: 'Time', value: <FullTime iso={time} /> },
          ...ids.flatMap(([label, value]) =>
            value === undefined ? [] : [{ label, value: <CopyValue value={value} what={label} /> }],
          ),
        ]}
      />
    </Dialog>
  );
}
