import { useSyncExternalStore } from 'react';

/** Where tables stop fitting in parallel's columns. */
const NARROW = '(max-width: 800px)';

/** Whether the window is as narrow as a phone's. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(NARROW).matches,
  );
}
