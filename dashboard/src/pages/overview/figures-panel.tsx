import Container from '@cloudscape-design/components/container';
import type { Overview } from '../../gateway/library.ts';
import { PageLink } from '../../ui/link.tsx';
import { ENDING_ANCHOR } from './ends-chart.tsx';

/** The counts at a glance, each a link to what it counts. */
export function FiguresPanel({ data }: { data: Overview }) {
  const plus = data.covered.complete || data.totals !== undefined ? '' : '+';
  const statuses = data.totals ?? data.statuses;
  const figures: readonly (readonly [label: string, value: string, href: string])[] = [
    ['Active connections', `${statuses.active}${plus}`, '/connections?status=active'],
    [
      'Need a new authorization',
      `${statuses.reauthorizationRequired}${plus}`,
      '/connections?status=reauthorization_required',
    ],
    [
      'End within 7 days',
      `${data.ending.length}${data.covered.inDetail < data.covered.connections ? '+' : ''}`,
      `/#${ENDING_ANCHOR}`,
    ],
    ['Integrations', `${data.integrations}`, '/integrations'],
    ['Clients refused by Google', `${data.rejectedIntegrations.length}`, '/integrations?client=refused'],
  ];
  return (
    <Container>
      <div className="figures">
        {figures.map(([label, value, href]) => (
          <div className="figure" key={label}>
            <PageLink href={href} ariaLabel={`${label}: ${value}`} fontSize="display-l">
              {value}
            </PageLink>
            <div className="soft">{label}</div>
          </div>
        ))}
      </div>
    </Container>
  );
}
