import { useSyncExternalStore } from 'react';

/** Where tables stop fitting in parallel's columns. */
const NARROW = '(max-width: 800px)';
/** Where long tables have no room for every column, because the navigation is next to them. */
const MEDIUM = '(max-width: 1199px)';

/** Whether the window is as narrow as a phone's. */
export function useNarrow(): boolean {
  return useMedia(NARROW);
}

/** Whether the window is no wider than a small laptop's. */
export function useMedium(): boolean {
  return useMedia(MEDIUM);
}

function useMedia(media: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(media);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(media).matches,
  );
}
