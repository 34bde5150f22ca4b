import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useRef, useState } from 'react';
import type { Loaded } from '../data/use-load.ts';

/** How old data may become while somebody looks at it, unless a page says otherwise. */
const EVERY_MS = 14_000;
/** How soon it is loaded again after a failure. */
const AGAIN_MS = 5_000;
/** How often the words are drawn again. */
const STEP_MS = 5_000;

/**
 * Says how old a page's data is and loads it again by itself, but not under somebody who types or has a dialog open.
 *
 * @param others what else the page shows and loads with it
 */
export function Freshness<T>({
  loaded,
  others = [],
  everyMs = EVERY_MS,
}: {
  loaded: Loaded<T>;
  others?: readonly Pick<Loaded<unknown>, 'reload' | 'refresh' | 'isAsking'>[];
  everyMs?: number;
}) {
  const { load } = loaded;
  const all = [loaded, ...others];
  const refreshAll = useRef(() => {});
  refreshAll.current = () => {
    for (const one of all) one.refresh();
  };
  const isAsking = useRef((): boolean => false);
  isAsking.current = () => all.some((one) => one.isAsking());
  const atMs = load.kind === 'ready' ? load.atMs : undefined;
  const waitMs = load.kind === 'ready' && load.failure !== undefined ? AGAIN_MS : everyMs;
  const [nowMs, setNowMs] = useState(Date.now());
  const [isPaused, setPaused] = useState(false);
  const askedAtMs = useRef(0);
  useEffect(() => {
    const look = (): void => {
      const isBusy = isSomebodyBusy();
      setNowMs(Date.now());
      setPaused(isBusy);
      if (isBusy || document.visibilityState !== 'visible' || atMs === undefined) return;
      // An answer that takes long is waited for: asking again would end it.
      if (isAsking.current() || Date.now() - Math.max(atMs, askedAtMs.current) < waitMs) return;
      askedAtMs.current = Date.now();
      refreshAll.current();
    };
    look();
    const timer = setInterval(look, STEP_MS);
    return () => clearInterval(timer);
  }, [atMs, waitMs]);
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      {atMs !== undefined && (
        <Box color="text-body-secondary" fontSize="body-s">
          {isPaused ? 'Not updated while you type' : `Updated ${ago(nowMs - atMs)}`}
        </Box>
      )}
      <Button
        iconName="refresh"
        ariaLabel="Load again"
        loading={load.kind === 'loading' || (load.kind === 'ready' && load.isRenewing)}
        onClick={() => {
          for (const one of all) one.reload();
        }}
      />
    </SpaceBetween>
  );
}

/** Such as "10 s ago". */
function ago(ms: number): string {
  const seconds = Math.floor(ms / STEP_MS) * (STEP_MS / 1000);
  if (seconds < STEP_MS / 1000) return 'just now';
  return seconds < 120 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

/** Whether what is on the page must stay as it is: a field has the focus, or a dialog or list of choices is open. */
function isSomebodyBusy(): boolean {
  const focused = document.activeElement;
  const isField =
    focused instanceof HTMLElement && focused.matches('input, textarea, select, [contenteditable="true"]');
  const open = document.querySelectorAll('dialog[open], [role="dialog"], [aria-expanded="true"][aria-haspopup]');
  return isField || [...open].some((one) => one.checkVisibility());
}
