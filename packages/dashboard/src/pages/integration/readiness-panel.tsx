import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { READINESS_NOTES } from '../../features/readiness-notes.ts';
import type { Readiness, ReadinessStep } from '../../gateway/library.ts';
import { ActionLink } from '../../ui/action-button.tsx';
import { domainsHref, integrationHref } from '../../ui/link.tsx';
import { ConsoleButton, LinkButton } from '../../ui/link-button.tsx';
import { Status } from '../../ui/status.tsx';
import { SETTINGS_ANCHOR } from './settings-panel.tsx';

/** Steps that going live still requires, and coming failures while nothing changes. */
export function ReadinessPanel({ readiness, integrationId }: { readiness: Readiness; integrationId: string }) {
  const notes = Object.values(READINESS_NOTES);
  const needed = readiness.steps.filter((step) => step.needed);
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={standing(readiness)}
          actions={
            readiness.ready ? (
              <Status type="success">Ready, as far as the gateway can check</Status>
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
              <div>
                {step.what}
                {step.done !== true && <StepButton step={step} integrationId={integrationId} />}
              </div>
            </li>
          ))}
        </ul>
        {readiness.alternatives.map(({ scope, what }) => (
          <Alert key={scope} type="info" header="How to avoid the review">
            {what}
          </Alert>
        ))}
        {readiness.agents !== undefined && <AgentNotes agents={readiness.agents} />}
        {notes.map((Note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
          <Note key={index} readiness={readiness} />
        ))}
        {readiness.domain !== undefined && <DomainNote domain={readiness.domain} />}
      </SpaceBetween>
    </Container>
  );
}

function standing({ audience, publishingStatus, strictestClass }: Readiness): string {
  const app = audience === 'internal' ? 'Internal app' : 'External app';
  const status = publishingStatus === 'production' ? 'in production' : 'in Testing';
  return `${app}, ${status}. Strictest scope: ${strictestClass}.`;
}

/** Where a step is done. */
function StepButton({ step: { id }, integrationId }: { step: ReadinessStep; integrationId: string }) {
  const button = ((): ReactNode => {
    switch (id) {
      case 'own_client':
        return <ActionLink href={`${integrationHref(integrationId)}?do=rotate`}>Use your own client</ActionLink>;
      case 'redirect_uri':
      case 'marked_client':
        return <ConsoleButton section="clients">Open the clients at Google</ConsoleButton>;
      case 'publish_app':
        return <ConsoleButton section="audience">Publish the app at Google</ConsoleButton>;
      case 'own_domain':
        return <ConsoleButton section="branding">Name and verify the domain at Google</ConsoleButton>;
      case 'app_verification':
      case 'security_assessment':
        return <ConsoleButton section="verification">Request the review at Google</ConsoleButton>;
      case 'permitted_app':
        return <ConsoleButton section="scopes">Check the scopes at Google</ConsoleButton>;
      case 'listed':
        return <LinkButton href={domainsHref(integrationId)}>Go to the domains</LinkButton>;
      case 'live_mode':
        return (
          <LinkButton href={`${integrationHref(integrationId)}#${SETTINGS_ANCHOR}`}>Go to the settings</LinkButton>
        );
      default:
        return null;
    }
  })();
  return button === null ? null : <div className="step-button">{button}</div>;
}

function StepStatus({ step: { done } }: { step: ReadinessStep }) {
  if (done === undefined) return <Status type="info">Check Google's console</Status>;
  return done ? <Status type="success">Done</Status> : <Status type="pending">To do</Status>;
}

/** Features of Google's MCP servers that worked, and those that were not tried. */
function AgentNotes({ agents: { seen, untried } }: { agents: NonNullable<Readiness['agents']> }) {
  return (
    <ul className="timeline">
      {seen.map((what) => (
        <li key={what} className="wrap step-state">
          <Status type="success">Seen to work</Status>
          <div>{what}</div>
        </li>
      ))}
      {untried.map((what) => (
        <li key={what} className="wrap step-state">
          <Status type="info">Not tried</Status>
          <div>{what}</div>
        </li>
      ))}
    </ul>
  );
}

/** Limits of the gateway's address; with an own domain the limits while it is not verified. */
function DomainNote({ domain: { host, own, losses } }: { domain: NonNullable<Readiness['domain']> }) {
  return (
    <Alert type="info" header={own ? `${host}, until Google has verified it` : `${host} is not your own domain`}>
      <ul className="timeline">
        {losses.map(({ capability, what }) => (
          <li key={capability} className="wrap">
            {what}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
