import Alert from '@cloudscape-design/components/alert';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { DelegationCheck } from '../../gateway/library.ts';
import { shortScope } from '../../model/scopes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Status } from '../../ui/status.tsx';

/** Asks Google whether a service account may act for a user, scope by scope. */
export function CheckDomainDialog({
  integrationId,
  address: given,
  onClose,
  onChecked,
}: {
  integrationId: string;
  address: string;
  onClose: () => void;
  onChecked: () => void;
}) {
  const gateway = useGateway();
  const [address, setAddress] = useState(given);
  const [result, setResult] = useState<DelegationCheck | undefined>();
  const check = useAction(async () => {
    setResult(undefined);
    setResult(await gateway.integrations.checkDelegation(integrationId, address.trim()));
    onChecked();
  });
  return (
    <Dialog
      title="Check a domain"
      actionLabel="Check"
      isRunning={check.isRunning}
      isDisabled={!/^[^@\s]+@[^@\s]+$/.test(address.trim())}
      error={check.error}
      onAction={() => void check.run()}
      onClose={onClose}
    >
      <FormField label="Address" description="Of any user of the domain. Google is asked for a token for this user.">
        <Input
          value={address}
          autoComplete={false}
          placeholder="user@example.com"
          onChange={({ detail }) => setAddress(detail.value)}
        />
      </FormField>
      <div aria-live="polite">{result !== undefined && <Result of={result} />}</div>
    </Dialog>
  );
}

function Result({ of }: { of: DelegationCheck }) {
  return (
    <Alert
      type={of.works ? 'success' : 'warning'}
      header={of.works ? `It may act for users of ${of.domain}.` : `It may not act for this user of ${of.domain}.`}
    >
      {of.whatHappened !== undefined && (
        <p>
          {of.whatHappened} {of.remedy}
        </p>
      )}
      <ul className="plain-list">
        {of.scopes.map(({ scope, status }) => (
          <li key={scope}>
            <Status type={status === 'listed' ? 'success' : status === 'not_listed' ? 'error' : 'info'}>
              {shortScope(scope)}: {status.replace('_', ' ')}
            </Status>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
