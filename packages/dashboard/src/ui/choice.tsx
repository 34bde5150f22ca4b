import FormField from '@cloudscape-design/components/form-field';
import Select, { type SelectProps } from '@cloudscape-design/components/select';

interface ChoiceProps {
  label: string;
  options: readonly SelectProps.Option[];
  /** An unknown value is shown unchanged. */
  value: string | undefined;
  onChoose: (value: string) => void;
  isDisabled?: boolean;
}

/** One of several values, chosen from a list below its label. */
export function Choice({ label, options, value, onChoose, isDisabled = false }: ChoiceProps) {
  const known = options.find((one) => one.value === value);
  return (
    <FormField label={label}>
      <Select
        selectedOption={known ?? (value === undefined ? null : { value, label: value })}
        options={options}
        disabled={isDisabled}
        onChange={({ detail }) => onChoose(detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}
