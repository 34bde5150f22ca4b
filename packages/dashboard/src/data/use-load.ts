import { useCallback, useEffect, useRef, useState } from 'react';
import { useWorkplace } from '../gateway/gateway-context.tsx';
import { describeError, isOutage, SlowAnswerError } from '../model/describe-error.ts';

/** Why the shown value could not be loaded again. */
export interface Failure {
  readonly error: unknown;
}

/** How far a piece of data is. While it is loaded again the old value stays, so that nothing jumps. */
export type Load<T> =
  | { readonly kind: 'loading' }
  | {
      readonly kind: 'ready';
      readonly value: T;
      readonly isRenewing: boolean;
      /** When it was loaded, epoch milliseconds. */
      readonly atMs: number;
      /** The last refresh failed, or has no answer yet after {@link LATE_MS}: the value may be old. */
      readonly failure?: Failure;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A load and the means to change it. */
export interface Loaded<T> {
  readonly load: Load<T>;
  /** Loads again. */
  reload(): void;
  /** Loads again in the background: after a failure the shown data stays. */
  refresh(): void;
  /** Whether an answer is awaited. */
  isAsking(): boolean;
  /** Shows a value before the gateway confirmed it. */
  replace(change: (value: T) => T): void;
}

/** A refresh without an answer after this time counts as failed until the answer comes, milliseconds. */
export const LATE_MS = 3_000;
/** A page that could not be loaded for want of a connection is loaded again after this time, milliseconds. */
const RETRY_MS = 10_000;

/**
 * Loads data when a component appears, again when `key` changes or the browser is online again. An answer that arrives
 * after a newer question was asked is dropped. A value that cannot be refreshed is reported as an outage.
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
  const asking = useRef<AbortController | undefined>(undefined);

  useEffect(() => {
    const controller = new AbortController();
    asking.current = controller;
    setState((before) => {
      if (before.key !== key) return { key, load: { kind: 'loading' } };
      return round.isQuiet ? before : { key, load: renewing(before.load) };
    });
    const fail = (error: unknown) =>
      setState((before) =>
        (round.isQuiet || isOutage(error)) && before.key === key && before.load.kind === 'ready'
          ? { key, load: { ...before.load, isRenewing: false, failure: { error } } }
          : { key, load: { kind: 'failed', error } },
      );
    const late = round.isQuiet ? setTimeout(() => fail(new SlowAnswerError(LATE_MS)), LATE_MS) : undefined;
    const end = () => {
      clearTimeout(late);
      if (asking.current === controller) asking.current = undefined;
    };
    latestRead.current(controller.signal).then(
      (value) => {
        end();
        if (!controller.signal.aborted)
          setState({ key, load: { kind: 'ready', value, isRenewing: false, atMs: Date.now() } });
      },
      (error: unknown) => {
        end();
        if (!controller.signal.aborted) fail(error);
      },
    );
    return () => {
      end();
      controller.abort();
    };
  }, [key, round]);

  const reload = useCallback(() => setRound(({ count }) => ({ count: count + 1, isQuiet: false })), []);
  const refresh = useCallback(() => setRound(({ count }) => ({ count: count + 1, isQuiet: true })), []);
  const isAsking = useCallback(() => asking.current !== undefined, []);
  const loadedSince = useRef(since);
  useEffect(() => {
    if (loadedSince.current !== since) refresh();
    loadedSince.current = since;
  }, [since, refresh]);
  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [reload]);
  const { load } = state;
  useEffect(() => {
    if (load.kind !== 'failed' || describeError(load.error).kind !== 'offline') return;
    const timer = setTimeout(refresh, RETRY_MS);
    return () => clearTimeout(timer);
  }, [load, refresh]);
  useReportedOutage(load);

  const replace = useCallback((change: (value: T) => T) => {
    setState((before) =>
      before.load.kind === 'ready' ? { ...before, load: { ...before.load, value: change(before.load.value) } } : before,
    );
  }, []);
  return { load: state.key === key ? load : { kind: 'loading' }, reload, refresh, isAsking, replace };
}

/** Reports a value that could not be refreshed, until it could or is no longer shown. */
function useReportedOutage(load: Load<unknown>): void {
  const { outages } = useWorkplace();
  const atMs = load.kind === 'ready' ? load.atMs : undefined;
  const failure = load.kind === 'ready' ? load.failure : undefined;
  useEffect(() => {
    if (failure === undefined || atMs === undefined) return;
    return outages.report({ sinceMs: atMs, error: failure.error });
  }, [outages, failure, atMs]);
}

function renewing<T>(load: Load<T>): Load<T> {
  return load.kind === 'ready' ? { ...load, isRenewing: true } : { kind: 'loading' };
}
