import Badge from '@cloudscape-design/components/badge';
import type { ReviewedScope } from '../gateway/library.ts';
import { shortScope } from '../model/scopes.ts';

/** Colours of Google's review classes; the words stand alongside them. */
const CLASS_COLORS: Readonly<Record<string, 'green' | 'severity-medium' | 'severity-high'>> = {
  'non-sensitive': 'green',
  sensitive: 'severity-medium',
  restricted: 'severity-high',
};

/** How strictly Google reviews a scope. */
export function ClassBadge({ reviewClass }: { reviewClass: string }) {
  return <Badge color={CLASS_COLORS[reviewClass] ?? 'grey'}>{reviewClass}</Badge>;
}

/** Scopes with what each means and how strictly it is reviewed. */
export function ScopeList({ scopes, catalogue }: { scopes: readonly string[]; catalogue: readonly ReviewedScope[] }) {
  return (
    <ul className="plain-list">
      {scopes.map((scope) => {
        const known = catalogue.find((one) => one.scope === scope);
        return (
          <li key={scope} className="wrap">
            <code>{shortScope(scope)}</code> {known !== undefined && <ClassBadge reviewClass={known.reviewClass} />}{' '}
            <span className="soft">{known?.meaning ?? 'Not in the gateway’s list of scopes for this provider.'}</span>
          </li>
        );
      })}
    </ul>
  );
}
