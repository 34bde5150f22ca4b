import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useGateway } from '../gateway/gateway-context.tsx';

/** The event after which waiting calls are counted again. */
const DECIDED = 'approval-decided';

/** Has the number of waiting calls counted again after a decision. */
export function announceDecision(): void {
  dispatchEvent(new Event(DECIDED));
}

/** How many calls wait for approval: counted when a page is opened and after a decision. 0 where that cannot be read. */
export function useWaitingCalls(): number {
  const gateway = useGateway();
  const { pathname } = useLocation();
  const [count, setCount] = useState(0);
  const read = useCallback(
    (signal: AbortSignal) =>
      gateway.approvals.list({ about: false, signal }).then(
        (all) => {
          if (!signal.aborted) setCount(all.filter(({ status }) => status === 'pending').length);
        },
        // The page at hand shows what does not work.
        () => undefined,
      ),
    [gateway],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page counts again.
  useEffect(() => {
    const controller = new AbortController();
    const again = () => void read(controller.signal);
    again();
    addEventListener(DECIDED, again);
    return () => {
      controller.abort();
      removeEventListener(DECIDED, again);
    };
  }, [read, pathname]);
  return count;
}
