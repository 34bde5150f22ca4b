import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { KeyLimits, SecretKey } from '../../gateway/library.ts';
import { limitRows } from '../../model/key-limits.ts';
import { MethodList } from '../../ui/method-list.tsx';
import { ObservedPanel } from './observed-panel.tsx';

/** Everything a key is limited to, and what limits that only observe would have refused. */
export function LimitsPanel({
  secretKey: { id, limits, right, canReadCredentials },
  isLimitable,
}: {
  secretKey: SecretKey;
  isLimitable: boolean;
}) {
  if (limits === undefined) {
    return (
      <Box>
        It has no limits.{' '}
        {right === 'proxy' && !canReadCredentials
          ? isLimitable && 'Change the limits to restrict methods, connections, addresses and amounts.'
          : 'Only keys for proxied calls that read no tokens can have some.'}
      </Box>
    );
  }
  return (
    <SpaceBetween size="m">
      {limits.mode === 'observe' && <ObservedPanel id={id} />}
      <Container>
        <KeyValuePairs
          columns={3}
          items={limitRows(limits).map(({ label, text }) => ({ label, value: <span className="wrap">{text}</span> }))}
        />
      </Container>
      {limits.methods !== undefined && <Methods ids={limits.methods} />}
    </SpaceBetween>
  );
}

function Methods({ ids }: { ids: KeyLimits['methods'] & {} }) {
  const gateway = useGateway();
  const { load } = useLoad('limit methods', (signal) => gateway.keys.limitMethods({ signal }));
  const known = load.kind === 'ready' ? load.value : [];
  const shown = ids.map((id) => ({ id, meaning: known.find((one) => one.id === id)?.meaning ?? '' }));
  return (
    <ExpandableSection headerText={`The ${ids.length} methods that it may call`}>
      <MethodList methods={shown} />
    </ExpandableSection>
  );
}
