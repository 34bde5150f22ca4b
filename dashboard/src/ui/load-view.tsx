import Skeleton from '@cloudscape-design/components/skeleton';
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
    return (
      <div role="status" aria-label={`Loading ${what}`} style={{ minHeight: height }}>
        <Skeleton display="block" height={height} />
      </div>
    );
  }
  return <>{children(load.value)}</>;
}
