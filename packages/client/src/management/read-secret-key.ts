import { KEY_READERS } from '../features/key-readers.ts';
import { LIMITS_READERS } from '../features/limits-readers.ts';
import {
  fieldsOf,
  isFields,
  optionalBoolean,
  optionalText,
  text,
  textList,
  textRecord,
  type Unread,
} from '../http/fields.ts';
import { readAmounts } from './budget.ts';
import { readByAll } from './feature-slots.ts';
import { readManagedBy } from './managed-by.ts';
import type { KeyLimits, SecretKey } from './secret-key-types.ts';
import type * as wire from './wire.ts';

/** A secret key as an answer has it. @throws UnexpectedAnswerError */
export function readSecretKey(fields: Unread<wire.SecretKey>): SecretKey {
  const isLimited = Array.isArray(fields.integration_ids);
  return {
    id: text(fields, 'id'),
    name: text(fields, 'name'),
    right: text(fields, 'right'),
    integrationIds: isLimited ? textList(fields, 'integration_ids') : undefined,
    canReadCredentials: optionalBoolean(fields, 'can_read_credentials') ?? false,
    createdAt: text(fields, 'created_at'),
    createdBy: optionalText(fields, 'created_by'),
    createdByName: optionalText(fields, 'created_by_name'),
    hint: optionalText(fields, 'hint'),
    lastUsedAt: optionalText(fields, 'last_used_at'),
    revokedAt: optionalText(fields, 'revoked_at'),
    isThisKey: optionalBoolean(fields, 'is_this_key') ?? false,
    limits: isFields(fields.limits) ? readLimits(fieldsOf(fields.limits, 'limits')) : undefined,
    roleArn: optionalText(fields, 'role_arn'),
    roleId: optionalText(fields, 'role_id'),
    managedBy: readManagedBy(fields),
    agent: undefined,
    ...readByAll(KEY_READERS, fields),
  };
}

/** Limits in the API's spelling. */
export function limitsBody({
  endUsers,
  expiresAt,
  methods: _,
  ...same
}: KeyLimits): wire.UpdateSecretKeyBody['limits'] & {} {
  return {
    ...same,
    ...(endUsers === undefined ? {} : { end_users: endUsers }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

/** What a later version names is the gateway: it asks in any case that this one does not know. */
function readAsker(fields: Unread<wire.KeyLimits>): Pick<KeyLimits, 'approval'> {
  if (fields.approval === undefined) return {};
  const named = text(fields, 'approval');
  return { approval: named === 'google' || named === 'both' ? named : 'gateway' };
}

function readLimits(fields: Unread<wire.KeyLimits>): KeyLimits {
  const lists = {
    ...(fields.allow === undefined ? {} : { allow: textList(fields, 'allow') }),
    ...(fields.deny === undefined ? {} : { deny: textList(fields, 'deny') }),
    ...(fields.approve === undefined ? {} : { approve: textList(fields, 'approve') }),
    ...(fields.methods === undefined ? {} : { methods: textList(fields, 'methods') }),
    ...(fields.integrations === undefined ? {} : { integrations: textList(fields, 'integrations') }),
    ...(fields.connections === undefined ? {} : { connections: textList(fields, 'connections') }),
    ...(fields.resources === undefined ? {} : { resources: textList(fields, 'resources') }),
    ...(fields.sources === undefined ? {} : { sources: textList(fields, 'sources') }),
  };
  return {
    mode: text(fields, 'mode') === 'observe' ? 'observe' : 'enforce',
    ...lists,
    ...(fields.end_users === undefined ? {} : { endUsers: textRecord(fields, 'end_users') }),
    ...readAsker(fields),
    ...(fields.minute === undefined ? {} : { minute: readAmounts(fieldsOf(fields.minute, 'minute')) }),
    ...(fields.day === undefined ? {} : { day: readAmounts(fieldsOf(fields.day, 'day')) }),
    ...(fields.priority === undefined ? {} : { priority: 'background' as const }),
    ...(fields.expires_at === undefined ? {} : { expiresAt: text(fields, 'expires_at') }),
    ...readByAll(LIMITS_READERS, fields),
  };
}
