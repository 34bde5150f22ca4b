import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { EndUser } from '../../gateway/library.ts';
import { problemOf } from '../../model/describe-error.ts';

/** An end user as it is typed; empty texts are left out. */
export interface EndUserDraft {
  readonly id: string;
  readonly email: string;
}

/** The end user of a draft. */
export function endUserOf({ id, email }: EndUserDraft): EndUser {
  return { id: id.trim(), ...(email.trim() === '' ? {} : { email: email.trim() }) };
}

/** Who a connection belongs to on the integrator's side. @param error of the refused request, shown alongside its field */
export function EndUserFields({
  draft,
  error,
  onChange,
}: {
  draft: EndUserDraft;
  error: unknown;
  onChange: (draft: EndUserDraft) => void;
}) {
  return (
    <SpaceBetween size="m">
      <FormField
        label="End user id"
        description="The id of this user in your system."
        errorText={problemOf(error, 'end_user.id')}
      >
        <Input value={draft.id} onChange={({ detail }) => onChange({ ...draft, id: detail.value })} />
      </FormField>
      <FormField label="End user e-mail, optional" errorText={problemOf(error, 'end_user.email')}>
        <Input
          type="email"
          inputMode="email"
          value={draft.email}
          onChange={({ detail }) => onChange({ ...draft, email: detail.value })}
        />
      </FormField>
    </SpaceBetween>
  );
}
