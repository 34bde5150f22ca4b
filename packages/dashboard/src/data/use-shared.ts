import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useFeature, useWorkplace } from '../gateway/gateway-context.tsx';

/** How many calls wait for approval, as last counted; the page of approvals counts by what it shows. */
export function useWaitingCalls(): number {
  const { waitingCalls } = useWorkplace();
  const hasApprovals = useFeature('approvals');
  const { pathname } = useLocation();
  useEffect(() => {
    if (hasApprovals && !/^\/approvals(?:\/|$)/.test(pathname)) waitingCalls.renew();
  }, [waitingCalls, hasApprovals, pathname]);
  return useSyncExternalStore(waitingCalls.subscribe, waitingCalls.current);
}

/** Whether *Getting started* has a step to do; undefined until it is known. */
export function useFirstSteps(): boolean | undefined {
  const { firstSteps } = useWorkplace();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page may have done a step.
  useEffect(() => firstSteps.renew(), [firstSteps, pathname]);
  return useSyncExternalStore(firstSteps.subscribe, firstSteps.current);
}
