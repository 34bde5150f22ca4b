import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Readiness, ReadinessStep } from '../../gateway/operator-types.ts';

/** What going live still needs, and what will go wrong as long as it stays so. */
export function ReadinessPanel({ readiness }: { readiness: Readiness }) {
  const needed = readiness.steps.filter((step) => step.needed);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={`Strictest scope: ${readiness.strictestClass}`}
          actions={
            readiness.ready ? (
              <StatusIndicator type="success">Ready, as far as can be seen from here</StatusIndicator>
            ) : (
              <StatusIndicator type="pending">Not ready for end users</StatusIndicator>
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
            <li key={step.id} className="wrap">
              <StepStatus step={step} />
            </li>
          ))}
        </ul>
      </SpaceBetween>
    </Container>
  );
}

function StepStatus({ step }: { step: ReadinessStep }) {
  if (step.done === undefined) {
    return <StatusIndicator type="info">{step.what} Only Google's console shows whether it is done.</StatusIndicator>;
  }
  return <StatusIndicator type={step.done ? 'success' : 'pending'}>{step.what}</StatusIndicator>;
}
