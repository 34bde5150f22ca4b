import { fieldsList, fieldsOf, isFields, optionalText, text, textList, type Unread } from '../../http/fields.ts';
import type { KeyReader } from '../../management/feature-slots.ts';
import type { AgentBinding } from '../../management/secret-key-types.ts';
import type * as wire from '../../management/wire.ts';

/** The binding of an assistant's key. */
export const keyReader: KeyReader = ({ agent }) =>
  isFields(agent) ? { agent: readAgent(fieldsOf(agent, 'agent')) } : {};

function readAgent(fields: Unread<wire.AgentBinding>): AgentBinding {
  return {
    endUserId: optionalText(fields, 'end_user_id'),
    connections: fieldsList(fields.connections, 'connections').map((one) => {
      return { integrationId: text(one, 'integration_id'), connectionId: text(one, 'connection_id') };
    }),
    tools: Array.isArray(fields.tools) ? textList(fields, 'tools') : undefined,
  };
}
