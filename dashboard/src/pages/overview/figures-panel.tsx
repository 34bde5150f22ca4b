import Container from '@cloudscape-design/components/container';
import type { Overview } from '../../gateway/library.ts';

/** The counts at a glance. */
export function FiguresPanel({ data }: { data: Overview }) {
  const plus = data.covered.complete || data.totals !== undefined ? '' : '+';
  const statuses = data.totals ?? data.statuses;
  const figures: readonly (readonly [label: string, value: string])[] = [
    ['Active connections', `${statuses.active}${plus}`],
    ['Need a new authorization', `${statuses.reauthorizationRequired}${plus}`],
    ['End within 7 days', `${data.ending.length}${data.covered.inDetail < data.covered.connections ? '+' : ''}`],
    ['Integrations', `${data.integrations}`],
    ['Clients refused by Google', `${data.rejectedIntegrations.length}`],
  ];
  return (
    <Container>
      <div className="figures">
        {figures.map(([label, value]) => (
          <div className="figure" key={label}>
            <strong>{value}</strong>
            <span className="soft">{label}</span>
          </div>
        ))}
      </div>
    </Container>
  );
}
