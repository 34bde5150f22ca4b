import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { SecurityEventProject, SecurityEventSetup } from '../../gateway/library.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Freshness } from '../../ui/freshness.tsx';
import { integrationHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

/** How often a dialog asks whether the verification has come, milliseconds. */
const ASK_MS = 3_000;

/** The Cloud projects of the account, and whether Google's security events of each reach the gateway. */
export default function SecurityEventsPage() {
  const gateway = useGateway();
  const loaded = useLoad('security events', (signal) => gateway.securityEvents.list({ signal }));
  return (
    <Page
      title="Security events"
      description="Google reports revoked tokens and disabled accounts at once, for each Cloud project whose owner has registered the gateway."
      freshness={<Freshness loaded={loaded} />}
    >
      <LoadView loaded={loaded} height="300px" what="the Cloud projects">
        {(setup) =>
          setup.projects.length === 0 ? (
            <Box>No integration has an OAuth client of its own yet, so no Cloud project is known.</Box>
          ) : (
            <SpaceBetween size="l">
              {setup.projects.map((project) => (
                <Project key={project.cloudProject} project={project} setup={setup} onChanged={loaded.refresh} />
              ))}
            </SpaceBetween>
          )
        }
      </LoadView>
    </Page>
  );
}

function Project({
  project,
  setup,
  onChanged,
}: {
  project: SecurityEventProject;
  setup: SecurityEventSetup;
  onChanged: () => void;
}) {
  const [open, setOpen] = useState<'register' | 'remove' | undefined>(undefined);
  const { cloudProject, integrations, registeredAt, lastEventAt } = project;
  const isRegistered = project.state !== 'not_registered';
  const close = (): void => {
    setOpen(undefined);
    onChanged();
  };
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <ActionButton onClick={() => setOpen('register')}>
                {isRegistered ? 'Verify' : 'Register'}
                <span className="visually-hidden"> Cloud project {cloudProject}</span>
              </ActionButton>
              {isRegistered && (
                <ActionButton onClick={() => setOpen('remove')}>
                  Stop accepting<span className="visually-hidden"> events of Cloud project {cloudProject}</span>
                </ActionButton>
              )}
            </SpaceBetween>
          }
        >
          Cloud project {cloudProject}
        </Header>
      }
    >
      <KeyValuePairs
        columns={4}
        items={[
          { label: 'State', value: <ProjectState project={project} /> },
          {
            label: 'Integrations',
            value: integrations.map((id) => (
              <div key={id}>
                <PageLink href={integrationHref(id)}>{id}</PageLink>
              </div>
            )),
          },
          { label: 'Registered', value: registeredAt === undefined ? 'No' : <Time iso={registeredAt} /> },
          {
            label: 'Last security event',
            value: lastEventAt === undefined ? 'None' : <Time iso={lastEventAt} />,
          },
        ]}
      />
      {open === 'register' && <RegisterDialog project={project} setup={setup} onAsk={onChanged} onClose={close} />}
      {open === 'remove' && <RemoveDialog cloudProject={cloudProject} onClose={close} />}
    </Container>
  );
}

function ProjectState({ project: { state, verifiedAt } }: { project: SecurityEventProject }) {
  if (state === 'verified') {
    return (
      <Status type="success">
        Verified <Time iso={verifiedAt} />
      </Status>
    );
  }
  if (state === 'not_verified') return <Status type="warning">Registered, but no verification has come</Status>;
  return <Status type="stopped">Not registered: the gateway refuses its events</Status>;
}

/** The command that does both halves; or the gateway's half here, and what to send to Google. */
function RegisterDialog({
  project,
  setup,
  onAsk,
  onClose,
}: {
  /** As it is now. */
  project: SecurityEventProject;
  setup: SecurityEventSetup;
  /** Loads the project again. */
  onAsk: () => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const { cloudProject, verifiedAt } = project;
  const [before] = useState(project);
  const [verification, setVerification] = useState<string | undefined>(undefined);
  const isVerified = verifiedAt !== undefined && verifiedAt !== before.verifiedAt;
  useEffect(() => {
    if (isVerified) return;
    const timer = setInterval(onAsk, ASK_MS);
    return () => clearInterval(timer);
  }, [isVerified, onAsk]);
  const accept = useAction(async () => {
    const text = crypto.randomUUID();
    await gateway.securityEvents.register(cloudProject, { verification: text });
    setVerification(text);
  });
  const verb = before.state === 'not_registered' ? 'register' : 'verify';
  return (
    <Dialog
      title={`Security events of Cloud project ${cloudProject}`}
      closeLabel={isVerified ? 'Done' : 'Close'}
      isKept={verification !== undefined}
      error={accept.error}
      onClose={onClose}
    >
      <span>
        Run this with a key of a service account that has the role <b>RISC Configuration Admin</b> in the project. It
        does both halves, here and at Google, and the key stays on your computer.
      </span>
      <CopyBlock
        text={`npm run gateway -- security-events ${verb} ${cloudProject} --key-file key.json`}
        what="command"
      />
      {verification === undefined ? (
        <ActionButton formAction="none" loading={accept.isRunning} onClick={() => void accept.run()}>
          Call Google’s API yourself instead
        </ActionButton>
      ) : (
        <>
          <span>
            The gateway now accepts the events of this project. Send Google both requests, with an access token of the
            service account:
          </span>
          <CopyBlock text={requestsOf(setup, verification)} what="requests to Google" />
        </>
      )}
      <div aria-live="polite">
        {isVerified ? (
          <Alert type="success">Google’s verification has come: security events reach the gateway.</Alert>
        ) : (
          <Status type="in-progress">Waiting for Google’s verification</Status>
        )}
      </div>
    </Dialog>
  );
}

/** The two calls of Google's RISC API ("Protect user accounts with Cross-Account Protection"). */
function requestsOf({ receiverUrl, eventTypes }: SecurityEventSetup, verification: string): string {
  const stream = {
    delivery: { delivery_method: 'https://schemas.openid.net/secevent/risc/delivery-method/push', url: receiverUrl },
    events_requested: eventTypes,
  };
  const post = (method: string, body: object) =>
    `POST https://risc.googleapis.com/v1beta/stream:${method}\n${JSON.stringify(body, null, 2)}`;
  return `${post('update', stream)}\n\n${post('verify', { state: verification })}`;
}

function RemoveDialog({ cloudProject, onClose }: { cloudProject: string; onClose: () => void }) {
  const gateway = useGateway();
  const notices = useNotices();
  const remove = useAction(async () => {
    await gateway.securityEvents.remove(cloudProject);
    notices.success(`The gateway refuses the security events of Cloud project ${cloudProject}.`);
    onClose();
  });
  return (
    <Dialog
      title="Stop accepting its security events?"
      actionLabel="Stop accepting"
      isRunning={remove.isRunning}
      error={remove.error}
      onAction={() => void remove.run()}
      onClose={onClose}
    >
      <span>
        Dead grants of this project are then found at their next refresh, with a likely cause. Disable the stream at
        Google too; this command does both:
      </span>
      <CopyBlock text={`npm run gateway -- security-events off ${cloudProject} --key-file key.json`} what="command" />
    </Dialog>
  );
}
