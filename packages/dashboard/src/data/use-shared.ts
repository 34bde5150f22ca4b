import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useWorkplace } from '../gateway/gateway-context.tsx';

/** Whether *Getting started* has a step to do; undefined until it is known. */
export function useFirstSteps(): boolean | undefined {
  const { firstSteps } = useWorkplace();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page may have done a step.
  useEffect(() => firstSteps.renew(), [firstSteps, pathname]);
  return useSyncExternalStore(firstSteps.subscribe, firstSteps.current);
}
