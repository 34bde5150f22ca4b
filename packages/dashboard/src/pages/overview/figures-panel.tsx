import Container from '@cloudscape-design/components/container';
import type { Overview } from '../../gateway/library.ts';
import { PageLink } from '../../ui/link.tsx';
import { ENDING_ANCHOR } from './ends-chart.tsx';

/** The counts at a glance, each a link to what it counts. */
export function FiguresPanel({ data }: { data: Overview }) {
  const { statuses } = data;
  const figures: readonly (readonly [label: string, value: string, href: string])[] = [
    ['Active connections', statuses.active.toLocaleString('en'), '/connections?status=active'],
    [
      'Need a new authorization',
      statuses.reauthorizationRequired.toLocaleString('en'),
      '/connections?status=reauthorization_required',
    ],
    ['Failing: Google refuses their calls', statuses.failing.toLocaleString('en'), '/connections?status=failing'],
    [
      'Not renewed: Google refuses their tokens',
      statuses.refusedByProvider.toLocaleString('en'),
      '/connections?status=refused_by_provider',
    ],
    ['End within 7 days', data.endingTotal.toLocaleString('en'), `/#${ENDING_ANCHOR}`],
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
