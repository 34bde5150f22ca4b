import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { counted, type ErasureStep, erasePerson, loadPerson, type PersonData } from '../../data/erase-person.ts';
import { saveFile } from '../../data/save-file.ts';
import { useAction } from '../../data/use-action.ts';
import { useAddress } from '../../data/use-address.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway, useWorkplace } from '../../gateway/gateway-context.tsx';
import { erasedWithConnection, keptOfPerson } from '../../model/erasure.ts';
import { titleOf } from '../../model/person.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { connectionHref, keyHref, PageLink } from '../../ui/link.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';

/** Shows what the gateway has of an end user, erases it, and gives a record of the erasure. */
export default function ErasePersonPage() {
  const [endUserId, setEndUserId] = useAddress('end_user');
  const [typed, setTyped] = useState(endUserId);
  return (
    <Page
      title="Erase a person"
      description="For a person who asks you to delete their data: everything that the gateway holds of one end user."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setEndUserId(typed.trim());
        }}
      >
        <FormField
          label="End user id"
          description="The id of the person in your system, as in your connect sessions."
          secondaryControl={<Button disabled={typed.trim() === ''}>Show their data</Button>}
        >
          <Input value={typed} onChange={({ detail }) => setTyped(detail.value)} />
        </FormField>
      </form>
      {endUserId !== '' && <Person key={endUserId} endUserId={endUserId} />}
    </Page>
  );
}

function Person({ endUserId }: { endUserId: string }) {
  const gateway = useGateway();
  const [steps, setSteps] = useState<readonly ErasureStep[] | undefined>(undefined);
  const loaded = useLoad(`person ${endUserId}`, (signal) => loadPerson(gateway, endUserId, { signal }));
  const again = (): void => {
    setSteps(undefined);
    loaded.reload();
  };
  if (steps !== undefined) return <Erased endUserId={endUserId} steps={steps} onAgain={again} />;
  return (
    <LoadView loaded={loaded} height="300px" what="the data of this person">
      {(person) => <WhatGoes person={person} onErased={setSteps} />}
    </LoadView>
  );
}

function WhatGoes({ person, onErased }: { person: PersonData; onErased: (steps: readonly ErasureStep[]) => void }) {
  const [isAsking, setAsking] = useState(false);
  const { connections, agentKeys } = person;
  const { without } = useWorkplace();
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">What goes</Header>}>
        <ul className="plain-list">
          <li>Their connect sessions and reconnect links, open and finished, with name, address and tags.</li>
          {connections.map((one) => (
            <li key={connectionHref(one)}>
              Connection{' '}
              <PageLink href={connectionHref(one)}>
                <Breakable text={titleOf(one)} />
              </PageLink>{' '}
              under <code className="wrap">{one.providerConfigKey}</code>
              {one.providerAccount?.email !== undefined && (
                <>
                  {' '}
                  of <Breakable text={one.providerAccount.email} />
                </>
              )}
              : {erasedWithConnection(without)}. Its grant is revoked at Google unless another connection uses it.
            </li>
          ))}
          {agentKeys.map(({ id, name }) => (
            <li key={id}>
              Agent key{' '}
              <PageLink href={keyHref(id)}>
                <Breakable text={name} />
              </PageLink>
              : it is revoked.
            </li>
          ))}
        </ul>
        {connections.length === 0 && <Status type="info">This person has no connection.</Status>}
      </Container>
      <WhatStays />
      <ActionButton variant="primary" onClick={() => setAsking(true)}>
        Erase this person
      </ActionButton>
      {isAsking && <EraseDialog person={person} onErased={onErased} onClose={() => setAsking(false)} />}
    </SpaceBetween>
  );
}

function WhatStays() {
  const { without } = useWorkplace();
  return (
    <Container header={<Header variant="h2">What stays</Header>}>
      <ul className="plain-list">
        {keptOfPerson(without).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Container>
  );
}

function EraseDialog({
  person,
  onErased,
  onClose,
}: {
  person: PersonData;
  onErased: (steps: readonly ErasureStep[]) => void;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const [typed, setTyped] = useState('');
  const erase = useAction(async () => onErased(await erasePerson(gateway, person)));
  const { connections, agentKeys, endUserId } = person;
  return (
    <Dialog
      title="Erase this person?"
      actionLabel="Erase for good"
      isRunning={erase.isRunning}
      isDisabled={typed.trim() !== endUserId}
      error={erase.error}
      onAction={() => void erase.run()}
      onClose={onClose}
    >
      <span>
        This deletes {counted(connections.length, 'connection')}, {counted(agentKeys.length, 'agent key')} and all
        connect sessions of <Breakable text={endUserId} />. Nothing of it can be restored here.
      </span>
      <FormField label="Type the end user id to confirm">
        <Input value={typed} autoComplete={false} onChange={({ detail }) => setTyped(detail.value)} />
      </FormField>
    </Dialog>
  );
}

function Erased({
  endUserId,
  steps,
  onAgain,
}: {
  endUserId: string;
  steps: readonly ErasureStep[];
  onAgain: () => void;
}) {
  const { gateway, session, without } = useWorkplace();
  const [at] = useState(() => new Date().toISOString());
  const failed = steps.filter(({ isDone }) => !isDone).length;
  const record = {
    gateway: gateway.baseUrl,
    end_user_id: endUserId,
    erased_at: at,
    erased_by: session.operator,
    is_complete: failed === 0,
    steps: steps.map(({ what, id, isDone, outcome }) => ({ what, id, is_done: isDone, outcome })),
    stays: keptOfPerson(without),
  };
  return (
    <SpaceBetween size="l">
      <Alert
        type={failed === 0 ? 'success' : 'error'}
        header={failed === 0 ? 'This person is erased' : `${counted(failed, 'step')} failed`}
        action={
          <SpaceBetween direction="horizontal" size="xs">
            <Button
              variant="primary"
              onClick={() => saveFile('erasure.json', 'application/json', `${JSON.stringify(record, null, 2)}\n`)}
            >
              Save the record
            </Button>
            <Button onClick={onAgain}>{failed === 0 ? 'Look again' : 'Erase the rest'}</Button>
          </SpaceBetween>
        }
      >
        {failed === 0
          ? 'The record is shown only here: save it if you have to prove the erasure.'
          : 'The others were done. Look at what is left, and erase it again.'}
      </Alert>
      <Container header={<Header variant="h2">What was done</Header>}>
        <ul className="plain-list">
          {steps.map(({ what, id, isDone, outcome }) => (
            <li key={`${what} ${id}`}>
              <Status type={isDone ? 'success' : 'error'}>
                {what} {id !== '' && <code className="wrap">{id}</code>}
              </Status>{' '}
              {outcome}
            </li>
          ))}
        </ul>
      </Container>
      <WhatStays />
    </SpaceBetween>
  );
}
