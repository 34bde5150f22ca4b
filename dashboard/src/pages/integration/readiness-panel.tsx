import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Readiness, ReadinessStep } from '../../gateway/library.ts';
import { Status } from '../../ui/status.tsx';

/** What going live still needs, and what will go wrong as long as it stays so. */
export function ReadinessPanel({ readiness }: { readiness: Readiness }) {
  const needed = readiness.steps.filter((step) => step.needed);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={standing(readiness)}
          actions={
            readiness.ready ? (
              <Status type="success">Ready, as far as can be seen from here</Status>
            ) : (
              <Status type="pending">Not ready for end users</Status>
            )
          }
        >
          Going live
        </Header>
      }
    >
      <SpaceBetween size="m">
        {readiness.risks.map((risk) => (
          <Alert key={risk} type="warning">
            {risk}
          </Alert>
        ))}
        <ul className="timeline">
          {needed.map((step) => (
            <li key={step.id} className="wrap step-state">
              <StepStatus step={step} />
              <span>{step.what}</span>
            </li>
          ))}
        </ul>
        {readiness.alternatives.map(({ scope, what }) => (
          <Alert key={scope} type="info" header="A way round the review">
            {what}
          </Alert>
        ))}
      </SpaceBetween>
    </Container>
  );
}

function standing({ audience, publishingStatus, strictestClass }: Readiness): string {
  const app = audience === 'internal' ? 'Internal app' : 'External app';
  const status = publishingStatus === 'production' ? 'in production' : 'in Testing';
  return `${app}, ${status}. Strictest scope: ${strictestClass}.`;
}

function StepStatus({ step: { done } }: { step: ReadinessStep }) {
  if (done === undefined) return <Status type="info">See Google's console</Status>;
  return done ? <Status type="success">Done</Status> : <Status type="pending">To do</Status>;
}
