import Container from '@cloudscape-design/components/container';
import type { OverviewData } from '../../data/load-overview.ts';
import { comingEnds } from '../../model/overview.ts';

/** Days ahead that count as soon. */
const SOON_DAYS = 7;

/** The counts at a glance. */
export function FiguresPanel({ data }: { data: OverviewData }) {
  const dead = data.connections.filter(({ status }) => status !== 'active').length;
  const refused = data.integrations.filter(({ credentialsFault }) => credentialsFault !== undefined).length;
  const plus = data.isCut ? '+' : '';
  const figures: readonly (readonly [label: string, value: string])[] = [
    ['Active connections', `${data.connections.length - dead}${plus}`],
    ['Need a new authorization', `${dead}${plus}`],
    [`End within ${SOON_DAYS} days`, `${comingEnds(data.details, SOON_DAYS, data.readAtMs).length}`],
    ['Integrations', `${data.integrations.length}`],
    ['Clients refused by Google', `${refused}`],
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
