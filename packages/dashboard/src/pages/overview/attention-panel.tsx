import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { Attention, Overview } from '../../gateway/library.ts';
import { attentionButton, isAboutTesting } from '../../model/attention.ts';
import { whoCanFix } from '../../model/causes.ts';
import { ConsoleButton, LinkButton } from '../../ui/link-button.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

/** Rows that are shown before more are asked for: as many as somebody reads in one go. */
const SHOWN = 8;

/** Every problem that needs attention, errors first: the problem, its time, the responsible party, the fix, and a button for it. */
export function AttentionPanel({ data: { attention } }: { data: Overview }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? attention : attention.slice(0, SHOWN);
  return (
    <Container
      header={
        <Header variant="h2" counter={`(${attention.length})`}>
          Needs attention
        </Header>
      }
    >
      {attention.length === 0 ? (
        <Status type="success">Nothing needs you: clients, connections, webhooks, feeds and keys are well.</Status>
      ) : (
        <SpaceBetween size="s">
          <ul className="attention" aria-label="Needs attention">
            {shown.map((one) => (
              <li key={keyOf(one)} className="attention-row">
                <Status type={one.severity === 'error' ? 'error' : 'warning'}>
                  <b>{one.title}</b>
                </Status>
                <Details of={one} />
              </li>
            ))}
          </ul>
          {attention.length > SHOWN && !isWhole && (
            <Button onClick={() => setWhole(true)}>Show all {attention.length}</Button>
          )}
        </SpaceBetween>
      )}
    </Container>
  );
}

/** No two rows are about the same thing since the same moment. */
function keyOf({ kind, providerConfigKey, state, reason, id, since }: Attention): string {
  return JSON.stringify([kind, providerConfigKey, state, reason, id, since]);
}

/** Why, since when, who and how; the buttons stand below, where there is room for them at every width. */
function Details({ of }: { of: Attention }) {
  const button = attentionButton(of);
  const [only, ...others] = of.steps;
  return (
    <SpaceBetween size="xs">
      <Box>
        {of.explanation} <Since of={of} /> Who can fix it: {whoCanFix(of.who)}.
      </Box>
      {others.length === 0 ? (
        only !== undefined && <Box>{only}</Box>
      ) : (
        <ol className="plain-list">
          {of.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {of.warning !== undefined && <Status type="warning">{of.warning}</Status>}
      <SpaceBetween direction="horizontal" size="xs">
        {isAboutTesting(of) && <ConsoleButton section="audience">Publish the app</ConsoleButton>}
        {button !== undefined && <LinkButton href={button.href}>{button.label}</LinkButton>}
      </SpaceBetween>
    </SpaceBetween>
  );
}

function Since({ of: { since, until } }: { of: Attention }) {
  if (since === undefined) return null;
  const isOneMoment = until === undefined || until.slice(0, 16) === since.slice(0, 16);
  return (
    <>
      Since <Time iso={since} />
      {!isOneMoment && (
        <>
          , the last <Time iso={until} />
        </>
      )}
      .
    </>
  );
}
