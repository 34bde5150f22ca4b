import type { StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { Feed } from '../../gateway/library.ts';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

const TONES: Readonly<Record<string, StatusIndicatorProps.Type>> = {
  starting: 'in-progress',
  watching: 'success',
  polling: 'info',
  waiting: 'pending',
  paused: 'warning',
  failing: 'error',
};

const LABELS: Readonly<Record<string, string>> = {
  starting: 'Starting',
  watching: 'Watching',
  polling: 'Polling',
  waiting: 'Waiting for quota',
  paused: 'Paused',
  failing: 'Failing',
};

/** A feed's state, why it is in it, and what to do. */
export function FeedState({ feed: { state, explanation, remedy, nextPullAt } }: { feed: Feed }) {
  return (
    <>
      <Status type={TONES[state] ?? 'info'}>{LABELS[state] ?? state}</Status>
      {state === 'waiting' && (
        <div className="soft">
          Next pull: <Time iso={nextPullAt} />
        </div>
      )}
      {explanation !== undefined && <div className="soft">{`${explanation} ${remedy ?? ''}`}</div>}
    </>
  );
}
