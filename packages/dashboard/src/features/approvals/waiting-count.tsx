import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { waitingCallsOf } from './waiting-calls.ts';

/** The number of waiting calls behind the entry of the navigation; screen readers get the words, too. */
export function WaitingCount() {
  const count = useWaitingCalls();
  return count === 0 ? null : (
    <span className="nav-count">
      {count}
      <span className="visually-hidden"> {count === 1 ? 'call waits' : 'calls wait'}</span>
    </span>
  );
}

/** How many calls wait for approval, as last counted; the page of approvals counts by what it shows. */
function useWaitingCalls(): number {
  const waitingCalls = waitingCallsOf(useGateway());
  const { pathname } = useLocation();
  useEffect(() => {
    if (!/^\/approvals(?:\/|$)/.test(pathname)) waitingCalls.renew();
  }, [waitingCalls, pathname]);
  return useSyncExternalStore(waitingCalls.subscribe, waitingCalls.current);
}
