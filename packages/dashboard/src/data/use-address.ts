import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * One value of the page's address, for a filter or a choice: a reload, a link and the browser's back button show the same again.
 *
 * @param name of the parameter @param otherwise what it is where the address does not say; then it is left out
 */
export function useAddress(name: string, otherwise = ''): readonly [value: string, set: (value: string) => void] {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (value: string) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === otherwise) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [setParams, name, otherwise],
  );
  return [params.get(name) ?? otherwise, set];
}
