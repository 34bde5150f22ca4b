import { useCallback, useEffect, useRef, useState } from 'react';

/** How far a piece of data is. While it is loaded again the old value stays, so that nothing jumps. */
export type Load<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T; readonly isRenewing: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A load and the means to change it. */
export interface Loaded<T> {
  readonly load: Load<T>;
  /** Loads again. */
  reload(): void;
  /** Shows a value before the gateway confirmed it. */
  replace(change: (value: T) => T): void;
}

/**
 * Loads data when a component appears, again when `key` changes or the browser is online again. An answer that arrives
 * after a newer question was asked is dropped.
 *
 * @param key names what is loaded; another key forgets the value
 * @param read makes the calls; its signal ends them
 */
export function useLoad<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; load: Load<T> }>({ key, load: { kind: 'loading' } });
  const [round, setRound] = useState(0);
  const latestRead = useRef(read);
  latestRead.current = read;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again although the key is the same.
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ key, load: before.key === key ? renewing(before.load) : { kind: 'loading' } }));
    latestRead.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ key, load: { kind: 'ready', value, isRenewing: false } });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ key, load: { kind: 'failed', error } });
      },
    );
    return () => controller.abort();
  }, [key, round]);

  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [reload]);

  const replace = useCallback((change: (value: T) => T) => {
    setState((before) =>
      before.load.kind === 'ready' ? { ...before, load: { ...before.load, value: change(before.load.value) } } : before,
    );
  }, []);
  return { load: state.key === key ? state.load : { kind: 'loading' }, reload, replace };
}

function renewing<T>(load: Load<T>): Load<T> {
  return load.kind === 'ready' ? { ...load, isRenewing: true } : { kind: 'loading' };
}
