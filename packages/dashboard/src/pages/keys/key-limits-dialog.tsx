import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ObservedCalls, SecretKey } from '../../gateway/library.ts';
import { problemOf } from '../../model/describe-error.ts';
import { draftOfLimits, limitsOfDraft, limitWords } from '../../model/key-limits.ts';
import { absoluteTime } from '../../model/time.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { useNotices } from '../../ui/notices.tsx';
import { Time } from '../../ui/time.tsx';
import { LimitsField } from './limits-field.tsx';

/** Changes what a key is limited to, and shows what limits that only observe would have refused. */
export function KeyLimitsDialog({
  secretKey,
  onChanged,
  onClose,
}: {
  secretKey: SecretKey;
  onChanged: (key: SecretKey) => void;
  onClose: () => void;
}) {
  const { id, name, limits: before } = secretKey;
  const gateway = useGateway();
  const notices = useNotices();
  const [draft, setDraft] = useState(() => draftOfLimits(before));
  const limits = limitsOfDraft(draft);
  const save = useAction(async () => {
    onChanged(await gateway.keys.setLimits(id, limits ?? null));
    notices.success(
      limits === undefined
        ? `Took the limits of ${name} away.`
        : `Changed the limits of ${name}. They hold everywhere within a minute.`,
    );
    onClose();
  });
  return (
    <Dialog
      title={`Limits of ${name}`}
      actionLabel={limits === undefined && before !== undefined ? 'Take the limits away' : 'Save the limits'}
      isRunning={save.isRunning}
      isDisabled={limits === undefined && before === undefined}
      error={save.error}
      onAction={() => void save.run()}
      onClose={onClose}
    >
      {before?.mode === 'observe' && <Observed id={id} />}
      <LimitsField draft={draft} errorText={problemOf(save.error, 'limits')} onChange={setDraft} />
    </Dialog>
  );
}

/** What the limits of a key would have refused in a week, by method. */
function Observed({ id }: { id: string }) {
  const gateway = useGateway();
  const loaded = useLoad(`observed calls of ${id}`, (signal) => gateway.keys.observed(id, { signal }));
  const methods = useLoad('limit methods', (signal) => gateway.keys.limitMethods({ signal }));
  const meanings = new Map(
    methods.load.kind === 'ready' ? methods.load.value.map((one) => [one.id, one.meaning] as const) : [],
  );
  return (
    <LoadView loaded={loaded} height="120px" what="what the limits observed">
      {(observed) => (
        <>
          <Alert type={observed.wouldRefuse === 0 ? 'success' : 'warning'}>{verdictOf(observed)}</Alert>
          {observed.rows.length > 0 && (
            <Table
              variant="embedded"
              items={observed.rows}
              wrapLines
              ariaLabels={{ tableLabel: 'Calls that would have been refused' }}
              columnDefinitions={[
                {
                  id: 'method',
                  header: 'Method',
                  isRowHeader: true,
                  cell: ({ method }) =>
                    method === undefined ? (
                      'No method that limits can name'
                    ) : (
                      <>
                        {meanings.get(method) ?? method} <span className="soft wrap">{method}</span>
                      </>
                    ),
                },
                { id: 'limit', header: 'Limit', cell: ({ limit }) => limitWords(limit) },
                { id: 'calls', header: 'Calls', cell: ({ calls }) => calls.toLocaleString('en') },
                { id: 'last', header: 'Last', cell: ({ lastAt }) => <Time iso={lastAt} /> },
              ]}
            />
          )}
          <Box color="text-body-secondary">
            {observed.countedUntil === undefined
              ? 'No call is counted yet.'
              : `Calls are counted until ${absoluteTime(observed.countedUntil)}.`}{' '}
            What earlier limits of this key observed is among them.
          </Box>
        </>
      )}
    </LoadView>
  );
}

function verdictOf({ calls, wouldRefuse }: ObservedCalls): string {
  if (calls === 0) return 'The key made no proxied call in the last 7 days.';
  const made = `${calls.toLocaleString('en')} proxied ${calls === 1 ? 'call' : 'calls'} of the last 7 days`;
  return wouldRefuse === 0
    ? `None of the ${made} would have been refused.`
    : `Of the ${made}, ${wouldRefuse.toLocaleString('en')} would have been refused.`;
}
