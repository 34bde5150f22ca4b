import { useEffect, useState } from 'react';
import { useGateway } from '../gateway/gateway-context.tsx';
import type { ConnectionSummary } from '../gateway/library.ts';
import { type Load, useLoad } from './use-load.ts';

/** Asked after a pause in typing, so that not every letter is a search. */
const TYPING_PAUSE_MS = 200;
const OFFERED = 20;

/** Connections by any part of what their people are called, for a field to choose from; the newest ones where nothing is typed. */
export function useConnectionSearch(): {
  /** What the connections are found by. */
  readonly text: string;
  readonly type: (text: string) => void;
  readonly load: Load<readonly ConnectionSummary[]>;
} {
  const gateway = useGateway();
  const [typed, type] = useState('');
  const [text, setText] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { load } = useLoad(`connections like ${text}`, async (signal) =>
    text === ''
      ? (await gateway.connections.list({ limit: OFFERED }, { signal })).connections
      : (await gateway.connections.search(text, { signal, limit: OFFERED })).connections,
  );
  return { text, type, load };
}

/** How far a search is, in the words of fields. */
export function searchStatus({ kind }: Load<unknown>): 'loading' | 'error' | 'finished' {
  return kind === 'loading' ? 'loading' : kind === 'failed' ? 'error' : 'finished';
}
