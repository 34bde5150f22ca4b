import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useId, useState } from 'react';
import { useWorkplace } from '../../gateway/gateway-context.tsx';
import type { Attention } from '../../gateway/library.ts';
import { attentionButton, isAboutTesting } from '../../model/attention.ts';
import { whoCanFix } from '../../model/causes.ts';
import { nothingNeedsYou } from '../../model/features.ts';
import { PageLink } from '../../ui/link.tsx';
import { ConsoleButton } from '../../ui/link-button.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';

/** Rows that are shown before more are asked for: as many as somebody reads in one go. */
const SHOWN = 8;

/**
 * Every problem that needs attention, errors first, one line each: what, since when, who can fix it, and a button that begins the fix.
 *
 * @param unknown sentences about what is not known yet; while there are any, nothing is called well
 */
export function AttentionPanel({ rows, unknown }: { rows: readonly Attention[]; unknown: readonly string[] }) {
  const { without } = useWorkplace();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, SHOWN);
  return (
    <Container
      header={
        <Header variant="h2" {...(rows.length > 0 || unknown.length === 0 ? { counter: `(${rows.length})` } : {})}>
          Needs attention
        </Header>
      }
    >
      <SpaceBetween size="s">
        {rows.length > 0 && (
          <ul className="attention" aria-label="Needs attention">
            {shown.map((one) => (
              <Row key={keyOf(one)} of={one} />
            ))}
          </ul>
        )}
        {rows.length > SHOWN && !isWhole && <Button onClick={() => setWhole(true)}>Show all {rows.length}</Button>}
        {unknown.map((sentence) => (
          <div key={sentence}>
            <Status type="pending">{sentence}</Status>
          </div>
        ))}
        {rows.length === 0 && unknown.length === 0 && <Status type="success">{nothingNeedsYou(without)}</Status>}
      </SpaceBetween>
    </Container>
  );
}

/** No two rows are about the same thing since the same moment. */
function keyOf({ kind, providerConfigKey, state, reason, id, since }: Attention): string {
  return JSON.stringify([kind, providerConfigKey, state, reason, id, since]);
}

function Row({ of }: { of: Attention }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const button = attentionButton(of);
  return (
    <li>
      <div className="attention-row">
        <Status type={of.severity === 'error' ? 'error' : 'warning'}>
          <b>{of.title}</b>
        </Status>
        <span className="attention-facts">
          {of.since !== undefined && <Time iso={of.since} />}
          <span>{whoCanFix(of.who)}</span>
          {button !== undefined && (
            <PageLink href={button.href} variant="primary">
              {button.label}
            </PageLink>
          )}
          <button
            type="button"
            className="text-button"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={`${isOpen ? 'Hide' : 'Details'}: ${of.title}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Details'}
          </button>
        </span>
      </div>
      {/* The danger of a fix is never hidden behind a click. */}
      {of.warning !== undefined && <Status type="warning">{of.warning}</Status>}
      <div id={id} hidden={!isOpen} className="attention-details">
        {isOpen && <Details of={of} />}
      </div>
    </li>
  );
}

/** Why, since when, and how it is fixed. */
function Details({ of }: { of: Attention }) {
  const [only, ...others] = of.steps;
  return (
    <SpaceBetween size="xs">
      <Box>
        {of.explanation} <Since of={of} />
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
      {isAboutTesting(of) && <ConsoleButton section="audience">Publish the app</ConsoleButton>}
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
