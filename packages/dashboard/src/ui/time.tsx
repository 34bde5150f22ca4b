import { absoluteTime, relativeTime } from '../model/time.ts';

/** A moment: how far away, with the full time on hover and for screen readers. */
export function Time({ iso, otherwise = 'Never' }: { iso: string | undefined; otherwise?: string }) {
  if (iso === undefined) return <span>{otherwise}</span>;
  return (
    <time dateTime={iso} title={absoluteTime(iso)}>
      {relativeTime(iso, Date.now())}
    </time>
  );
}

/** A moment in full, followed by how far away it is. */
export function FullTime({ iso, otherwise = 'Not known' }: { iso: string | undefined; otherwise?: string }) {
  if (iso === undefined) return <span>{otherwise}</span>;
  return (
    <time dateTime={iso}>
      {absoluteTime(iso)} <span className="one-piece">({relativeTime(iso, Date.now())})</span>
    </time>
  );
}
