import Container from '@cloudscape-design/components/container';
import type { Overview } from '../../gateway/library.ts';
import { PageLink } from '../../ui/link.tsx';
import { ENDING_ANCHOR } from './ends-chart.tsx';

/** The counts at a glance, each a link to what it counts. */
export function FiguresPanel({ data }: { data: Overview }) {
  const { statuses } = data;
  const { working, failing, refusedByProvider, clientRefused, dead } = data.health ?? {
    working: statuses.active,
    failing: statuses.failing,
    refusedByProvider: statuses.refusedByProvider,
    clientRefused: 0,
    dead: statuses.reauthorizationRequired,
  };
  // Before the first count only statuses are known.
  const counted = (count: number) => (data.countedAt === undefined ? '–' : count.toLocaleString('en'));
  const figures: readonly (readonly [label: string, value: string, href: string])[] = [
    ['Working connections', counted(working), '/connections?status=working'],
    ['Need a new authorization', dead.toLocaleString('en'), '/connections?status=reauthorization_required'],
    ['Failing: Google refuses their calls', counted(failing), '/connections?status=failing'],
    ['Not renewed: Google refuses their tokens', counted(refusedByProvider), '/connections?status=refused_by_provider'],
    ['Of a client that Google refuses', counted(clientRefused), '/connections?status=client_refused'],
    ['End within 7 days', counted(data.endingTotal), `/#${ENDING_ANCHOR}`],
    ['Integrations', `${data.integrations}`, '/integrations'],
  ];
  return (
    <Container>
      <div className="figures">
        {figures.map(([label, value, href]) => (
          <div className="figure" key={label}>
            <PageLink
              href={href}
              ariaLabel={`${label}: ${value === '–' ? 'not counted yet' : value}`}
              fontSize="display-l"
            >
              {value}
            </PageLink>
            <div className="soft">{label}</div>
          </div>
        ))}
      </div>
    </Container>
  );
}
