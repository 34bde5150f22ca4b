import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { UndoneWrite, UndoRange, UndoReport, WritesOf } from '../../gateway/library.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { connectionHref, PageLink } from '../../ui/link.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { UNDO_SPANS, undoRows, undoVerdict } from './undo-words.ts';

/** The result of a dry run, or of an undo. */
interface Shown {
  readonly report: UndoReport;
  readonly isPlan: boolean;
  /** The range that was looked at, which is the one that is undone. */
  readonly range: UndoRange;
}

const ROWS_SHOWN = 50;

interface UndoDialogProps {
  readonly of: WritesOf;
  /** Such as `what Agent wrote`. */
  readonly what: string;
  /** The one write to undo; undefined: those of a time that is chosen. */
  readonly writeId?: string | undefined;
  readonly onClose: () => void;
}

/** Undoes writes of keys with a journal: first shows the expected outcome of each. */
export function UndoDialog({ of, what, writeId, onClose }: UndoDialogProps) {
  const gateway = useGateway();
  const [span, setSpan] = useState<string>(UNDO_SPANS[1].value);
  const [shown, setShown] = useState<Shown | undefined>(undefined);
  const run = useAction(async () => {
    if (shown?.isPlan === true) {
      const { range } = shown;
      setShown({ report: await gateway.journal.undo(of, range), isPlan: false, range });
      return;
    }
    const now = Date.now();
    const since = new Date(now - Number(span) * 60_000).toISOString();
    const range = writeId === undefined ? { since, until: new Date(now).toISOString() } : { writeId };
    setShown({ report: await gateway.journal.undo(of, { ...range, dryRun: true }), isPlan: true, range });
  });
  const count = shown?.report.undone.length ?? 0;
  const isDone = shown !== undefined && (!shown.isPlan || count === 0);
  return (
    <Dialog
      title={isDone && !shown.isPlan ? `Undone: ${what}` : `Undo ${what}`}
      {...(isDone
        ? {}
        : {
            actionLabel:
              shown === undefined ? 'Show what would be undone' : `Undo ${count} ${count === 1 ? 'write' : 'writes'}`,
          })}
      isRunning={run.isRunning}
      isKept={shown?.isPlan === false}
      error={run.error}
      onAction={() => void run.run()}
      onClose={onClose}
    >
      <SpaceBetween size="m">
        {writeId !== undefined && shown === undefined && (
          <Box>
            It is undone only if nobody has changed the same since. Google mails nobody, and mail that went out cannot
            be taken back.
          </Box>
        )}
        {writeId === undefined && shown?.isPlan !== false && (
          <FormField
            label="Writes of"
            description={`${'keyId' in of ? 'On every connection, newest' : 'Newest'} first. What somebody else has changed since stays as it is. Google mails nobody, and mail that went out cannot be taken back.`}
          >
            <Select
              selectedOption={UNDO_SPANS.find(({ value }) => value === span) ?? null}
              options={[...UNDO_SPANS]}
              disabled={run.isRunning}
              onChange={({ detail }) => {
                setSpan(detail.selectedOption.value ?? UNDO_SPANS[1].value);
                setShown(undefined);
              }}
            />
          </FormField>
        )}
        {shown !== undefined && <Report {...shown} isOne={writeId !== undefined && shown.isPlan} />}
      </SpaceBetween>
    </Dialog>
  );
}

/** What one write changed, before and after. */
function Changes({ changes }: { changes: UndoneWrite['changes'] | undefined }) {
  if (changes === undefined || changes === null) {
    return (
      <Box color="text-body-secondary">What it changed is not known: the journal has no state before and after.</Box>
    );
  }
  if (changes.length === 0) return <Box color="text-body-secondary">It left everything as it was.</Box>;
  return (
    <Table
      variant="embedded"
      items={[...changes]}
      wrapLines
      ariaLabels={{ tableLabel: 'Before and after' }}
      columnDefinitions={[
        { id: 'member', header: 'Changed', isRowHeader: true, cell: ({ member }) => <Breakable text={member} /> },
        { id: 'before', header: 'Before', cell: ({ before }) => <Value text={before} /> },
        { id: 'after', header: 'After', cell: ({ after }) => <Value text={after} /> },
      ]}
    />
  );
}

function Value({ text }: { text: string | undefined }) {
  return text === undefined ? <span className="soft">nothing</span> : <span className="wrap">{text}</span>;
}

function Report({ report, isPlan, isOne }: Shown & { isOne: boolean }) {
  const rows = undoRows(report, isPlan);
  const isClear = report.conflicts.length + report.notUndoable.length === 0;
  return (
    <>
      <Alert type={isClear ? (isPlan ? 'info' : 'success') : 'warning'}>{undoVerdict(report, isPlan)}</Alert>
      {rows.length > 0 && (
        <Table
          variant="embedded"
          items={rows.slice(0, ROWS_SHOWN)}
          wrapLines
          ariaLabels={{ tableLabel: 'Writes' }}
          columnDefinitions={[
            {
              id: 'write',
              header: 'Write',
              isRowHeader: true,
              cell: ({ write }) => (
                <>
                  <Breakable text={write.method ?? 'unknown'} />
                  <div className="soft">
                    <Time iso={write.time} />
                  </div>
                </>
              ),
            },
            {
              id: 'object',
              header: 'On',
              cell: ({ write }) => (
                <>
                  <span className="wrap">{write.object?.ids.at(-1) ?? '–'}</span>
                  <div>
                    <PageLink href={connectionHref(write)}>{write.providerConfigKey}</PageLink>
                  </div>
                </>
              ),
            },
            { id: 'outcome', header: 'Outcome', cell: ({ tone, text }) => <Status type={tone}>{text}</Status> },
          ]}
        />
      )}
      {isOne && rows.map(({ write }) => <Changes key={write.id} changes={write.changes} />)}
      {rows.length > ROWS_SHOWN && (
        <Box color="text-body-secondary">
          And {(rows.length - ROWS_SHOWN).toLocaleString('en')} more. <code>gateway journal</code> lists all.
        </Box>
      )}
    </>
  );
}
