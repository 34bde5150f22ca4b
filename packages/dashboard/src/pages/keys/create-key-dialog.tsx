import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import RadioGroup from '@cloudscape-design/components/radio-group';
import { useEffect, useState } from 'react';
import { useAction } from '../../data/use-action.ts';
import { useLoad } from '../../data/use-load.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import type { SecretKeyRight } from '../../gateway/library.ts';
import { describeError, problemOf } from '../../model/describe-error.ts';
import { limitsOfDraft, limitsProblems, NO_LIMITS } from '../../model/key-limits.ts';
import { isKeyRight, KEY_RIGHTS } from '../../model/key-rights.ts';
import { forgetKeyDraft, type KeyDraft, keepKeyDraft, type RoleDraft } from '../../session/key-draft.ts';
import { CopyBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LimitsField } from '../../ui/limits-field.tsx';
import { useNotices } from '../../ui/notices.tsx';

/** Makes a secret key and shows it this once; its text is forgotten with the dialog. Or registers an IAM role, which has no key. */
export function CreateKeyDialog({
  draft,
  isRole,
  onClose,
}: {
  /** What was typed before a fresh sign-in. */
  draft: KeyDraft | undefined;
  isRole: boolean;
  onClose: () => void;
}) {
  const gateway = useGateway();
  const notices = useNotices();
  const { load } = useLoad('integrations', (signal) => gateway.integrations.list({ signal }));
  const [name, setName] = useState(draft?.name ?? '');
  const [right, setRight] = useState<SecretKeyRight>(draft?.right ?? 'proxy');
  const [limitedTo, setLimitedTo] = useState<readonly string[]>([]);
  const [canReadCredentials, setCanRead] = useState(draft?.canReadCredentials ?? false);
  const [role, setRole] = useState<RoleDraft>(draft?.role ?? { arn: '', id: '' });
  const [limitsDraft, setLimits] = useState(NO_LIMITS);
  const limits = right === 'proxy' ? limitsOfDraft(limitsDraft) : undefined;
  const hasProblems = right === 'proxy' && Object.keys(limitsProblems(limitsDraft)).length > 0;
  const [secretKey, setSecretKey] = useState<string | undefined>(undefined);
  const close = (): void => {
    forgetKeyDraft();
    onClose();
  };
  const create = useAction(async () => {
    const wanted = {
      name: name.trim(),
      right,
      canReadCredentials,
      ...(limitedTo.length === 0 ? {} : { integrationIds: limitedTo }),
      ...(limits === undefined ? {} : { limits }),
    };
    if (!isRole) {
      setSecretKey((await gateway.keys.create(wanted)).secretKey);
      return;
    }
    const roleId = role.id.trim();
    await gateway.keys.registerRole({
      ...wanted,
      roleArn: role.arn.trim(),
      ...(roleId === '' ? {} : { roleId }),
    });
    notices.success(`Registered ${wanted.name}. The role can call below /iam of the base URL.`);
    close();
  });
  const isLeaving = create.error !== undefined && describeError(create.error).kind === 'fresh_sign_in';
  useEffect(() => {
    if (isLeaving) keepKeyDraft({ name, right, canReadCredentials, ...(isRole ? { role } : {}) });
  }, [isLeaving, name, right, canReadCredentials, isRole, role]);
  if (secretKey !== undefined) {
    return (
      <Dialog title="Your new secret key" onClose={close} isKept>
        <Alert type="warning">Copy it now: it is not stored and cannot be shown again.</Alert>
        <CopyBlock text={secretKey} what="secret key" />
      </Dialog>
    );
  }
  const integrations = load.kind === 'ready' ? load.value : [];
  const options = integrations.map(({ uniqueKey }) => ({ value: uniqueKey, label: uniqueKey }));
  return (
    <Dialog
      title={isRole ? 'Register an IAM role' : 'Create a secret key'}
      actionLabel={isRole ? 'Register the role' : 'Create the key'}
      isRunning={create.isRunning}
      isDisabled={name.trim() === '' || (isRole && role.arn.trim() === '') || hasProblems}
      error={create.error}
      onAction={() => void create.run()}
      onClose={close}
    >
      {draft !== undefined && (
        <Alert type="info">
          The name, {isRole && 'the role, '}the right and the access to tokens were kept. Choose the integrations and
          the limits again.
        </Alert>
      )}
      {isRole && (
        <FormField
          label="ARN of the role"
          description="A workload in AWS then calls as this role, with a signature instead of a secret key. The deployment must have the option iamCallers."
          errorText={problemOf(create.error, 'role_arn')}
        >
          <Input
            value={role.arn}
            placeholder="arn:aws:iam::111122223333:role/nightly-export"
            autoComplete={false}
            spellcheck={false}
            onChange={({ detail }) => setRole({ ...role, arn: detail.value })}
          />
        </FormField>
      )}
      {isRole && (
        <FormField
          label="Unique id of the role (optional)"
          description="RoleId of aws iam get-role. With it, another role that is created under the same name later cannot call."
          errorText={problemOf(create.error, 'role_id')}
        >
          <Input
            value={role.id}
            placeholder="AROA…"
            autoComplete={false}
            spellcheck={false}
            onChange={({ detail }) => setRole({ ...role, id: detail.value })}
          />
        </FormField>
      )}
      <FormField
        label="Name"
        description={`The service that uses the ${isRole ? 'role' : 'key'}.`}
        errorText={problemOf(create.error, 'name')}
      >
        <Input value={name} autoComplete={false} onChange={({ detail }) => setName(detail.value)} />
      </FormField>
      <FormField label="What it may do">
        <RadioGroup
          value={right}
          onChange={({ detail }) => isKeyRight(detail.value) && setRight(detail.value)}
          items={Object.entries(KEY_RIGHTS).map(([value, { offered }]) => ({ value, label: offered }))}
        />
      </FormField>
      <FormField label="Integrations" description="Leave it empty for all integrations.">
        <Multiselect
          selectedOptions={options.filter(({ value }) => limitedTo.includes(value))}
          options={options}
          placeholder="All"
          empty="There is no integration yet"
          onChange={({ detail }) => setLimitedTo(detail.selectedOptions.flatMap(({ value }) => value ?? []))}
        />
      </FormField>
      {right === 'proxy' && <LimitsField draft={limitsDraft} error={create.error} onChange={setLimits} />}
      <Checkbox
        checked={canReadCredentials}
        description={`Off is safer: proxied calls do not need it. Each read is recorded as an audit event. ${isRole ? 'Registering such a role' : 'Creating such a key'} takes a second factor and a sign-in of the last five minutes.`}
        onChange={({ detail }) => setCanRead(detail.checked)}
      >
        May read access and refresh tokens
      </Checkbox>
    </Dialog>
  );
}
