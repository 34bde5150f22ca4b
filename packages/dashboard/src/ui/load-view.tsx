import type { ReactNode } from 'react';
import type { Loaded } from '../data/use-load.ts';
import { ErrorPanel } from './error-panel.tsx';

/** Shows loaded data, or that it is coming, or why it did not. The placeholder takes about the room of what comes. */
export function LoadView<T>({
  loaded,
  height,
  what,
  children,
}: {
  loaded: Loaded<T>;
  /** CSS height of the placeholder. */
  height: string;
  /** What is loaded, for screen readers. */
  what: string;
  children: (value: T) => ReactNode;
}) {
  const { load, reload } = loaded;
  if (load.kind === 'failed') return <ErrorPanel error={load.error} onRetry={reload} />;
  if (load.kind === 'loading') {
    return <Placeholder what={what} height={height} />;
  }
  return <>{children(load.value)}</>;
}

/** Holds the room of what is loaded. @param height CSS height */
export function Placeholder({ what, height }: { what: string; height: string }) {
  return <div className="placeholder" role="status" aria-label={`Loading ${what}`} style={{ minHeight: height }} />;
}
