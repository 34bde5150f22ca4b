import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Table from '@cloudscape-design/components/table';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { ObservedCalls } from '../../gateway/library.ts';
import { limitWords } from '../../model/key-limits.ts';
import { absoluteTime } from '../../model/time.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { LoadView } from '../../ui/load-view.tsx';
import { Time } from '../../ui/time.tsx';

/** What the limits of a key would have refused in a week, by method. */
export function ObservedPanel({ id }: { id: string }) {
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
                        {meanings.get(method) ?? method}{' '}
                        <span className="soft">
                          <Breakable text={method} />
                        </span>
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
            They include what earlier limits of this key observed.
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
