import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useEffect } from 'react';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { describeError } from '../../model/describe-error.ts';

/** Chooses an integration whose users give consent; the first one to begin with. */
export function IntegrationField({ value, onChoose }: { value: string; onChoose: (uniqueKey: string) => void }) {
  const gateway = useGateway();
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const integrations = load.kind === 'ready' ? load.value.filter((one) => one.delegation === undefined) : [];
  const first = integrations[0]?.uniqueKey;
  useEffect(() => {
    if (value === '' && first !== undefined) onChoose(first);
  }, [value, first, onChoose]);
  const options = integrations.map(({ uniqueKey, displayName }) => ({
    value: uniqueKey,
    label: displayName,
    description: uniqueKey,
  }));
  return (
    <FormField label="Integration" errorText={load.kind === 'failed' ? describeError(load.error).message : undefined}>
      <Select
        selectedOption={options.find((one) => one.value === value) ?? null}
        options={options}
        placeholder="Choose an integration"
        statusType={load.kind === 'loading' ? 'loading' : 'finished'}
        loadingText="Loading integrations"
        empty="There is no integration yet"
        onChange={({ detail }) => onChoose(detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}
