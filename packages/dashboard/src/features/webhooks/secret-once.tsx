import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { CopyBlock } from '../../ui/copy.tsx';

/** A webhook's secret in the one moment in which it can be seen. */
export function SecretOnce({ secret }: { secret: string }) {
  return (
    <SpaceBetween size="m">
      <Alert type="warning">Copy the secret now: it cannot be shown again, only replaced.</Alert>
      <CopyBlock text={secret} what="webhook secret" />
    </SpaceBetween>
  );
}
