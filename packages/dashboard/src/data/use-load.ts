import { useCallback, useEffect, useRef, useState } from 'react';

/** How far a piece of data is. While it is loaded again the old value stays, so that nothing jumps. */
export type Load<T> =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'ready';
      readonly value: T;
      readonly isRenewing: boolean;
      /** When it was loaded, epoch milliseconds. */
      readonly atMs: number;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A load and the means to change it. */
export interface Loaded<T> {
  readonly load: Load<T>;
  /** Loads again. */
  reload(): void;
  /** Loads again in the background: after a failure the shown data stays. */
  refresh(): void;
  /** Shows a value before the gateway confirmed it. */
  replace(change: (value: T) => T): void;
}

/**
 * Loads data when a component appears, again when `key` changes or the browser is online again. An answer that arrives
 * after a newer question was asked is dropped.
 *
 * @param key names what is loaded; another key forgets the value
 * @param read makes the calls; its signal ends them
 * @param since when the page around it was loaded: another time loads this again as well, without a sign of it
 */
export function useLoad<T>(key: string, read: (signal: AbortSignal) => Promise<T>, since?: number): Loaded<T> {
  const [state, setState] = useState<{ key: string; load: Load<T> }>({ key, load: { kind: 'loading' } });
  const [round, setRound] = useState({ count: 0, isQuiet: false });
  const latestRead = useRef(read);
  latestRead.current = read;

  useEffect(() => {
    const controller = new AbortController();
    setState((before) => {
      if (before.key !== key) return { key, load: { kind: 'loading' } };
      return round.isQuiet && before.load.kind === 'ready' ? before : { key, load: renewing(before.load) };
    });
    latestRead.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted)
          setState({ key, load: { kind: 'ready', value, isRenewing: false, atMs: Date.now() } });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState((before) =>
          round.isQuiet && before.key === key && before.load.kind === 'ready'
            ? { key, load: { ...before.load, isRenewing: false } }
            : { key, load: { kind: 'failed', error } },
        );
      },
    );
    return () => controller.abort();
  }, [key, round]);

  const reload = useCallback(() => setRound(({ count }) => ({ count: count + 1, isQuiet: false })), []);
  const refresh = useCallback(() => setRound(({ count }) => ({ count: count + 1, isQuiet: true })), []);
  const loadedSince = useRef(since);
  useEffect(() => {
    if (loadedSince.current !== since) refresh();
    loadedSince.current = since;
  }, [since, refresh]);
  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [reload]);

  const replace = useCallback((change: (value: T) => T) => {
    setState((before) =>
      before.load.kind === 'ready' ? { ...before, load: { ...before.load, value: change(before.load.value) } } : before,
    );
  }, []);
  return { load: state.key === key ? state.load : { kind: 'loading' }, reload, refresh, replace };
}

function renewing<T>(load: Load<T>): Load<T> {
  return load.kind === 'ready' ? { ...load, isRenewing: true } : { kind: 'loading' };
}
