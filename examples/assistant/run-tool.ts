// In a project of your own: '@integration-gateway/client'.
import { GatewayClient, GatewayError, ProviderError } from '../../packages/client/src/index.ts';

/** What Bedrock sends to the function of an action group (Amazon Bedrock User Guide, "Configure Lambda functions"). */
export interface ToolCall {
  readonly actionGroup: string;
  readonly function: string;
  readonly parameters?: readonly { readonly name: string; readonly value: string }[];
  /** Set by your backend when it invokes the agent: the model chooses no connection. */
  readonly sessionAttributes: { readonly connectionId?: string };
}

type Calendar = Pick<GatewayClient, 'get' | 'post' | 'delete'>;

/** Runs a tool in the user's calendar. @returns text for the model; of a call that waits for a person, where that is decided */
export async function runTool(gateway: Calendar, call: ToolCall): Promise<string> {
  const { connectionId = '' } = call.sessionAttributes;
  const given = Object.fromEntries((call.parameters ?? []).map(({ name, value }) => [name, value]));
  const events = '/calendar/v3/calendars/primary/events';
  const at = (endpoint: string) => ({ providerConfigKey: 'assistant', connectionId, endpoint });
  const timed = (dateTime = '') => ({ dateTime });
  try {
    switch (call.function) {
      case 'list_events': {
        const params = { timeMin: given.from ?? '', timeMax: given.to ?? '', singleEvents: true, fields: LISTED };
        return JSON.stringify((await gateway.get({ ...at(events), params })).data);
      }
      case 'create_event': {
        const data = { summary: given.title ?? '', start: timed(given.from), end: timed(given.to) };
        return JSON.stringify((await gateway.post({ ...at(events), data })).data);
      }
      case 'delete_event':
        await gateway.delete(at(`${events}/${encodeURIComponent(given.event_id ?? '')}`));
        return 'The event is deleted.';
      default:
        return `There is no tool ${call.function}.`;
    }
  } catch (error) {
    // What Google refuses, such as an event that is gone, the model can put right.
    if (error instanceof ProviderError) return error.message;
    if (!(error instanceof GatewayError)) throw error;
    if (error.approval === undefined) return error.message;
    return `Nothing has changed yet: a person has to approve this at ${error.approval.url}. Give the user this address.`;
  }
}

const LISTED = 'items(id,summary,start,end)';

/** The function of the action group. */
export async function handler(call: ToolCall) {
  const body = await runTool(new GatewayClient(), call);
  const { actionGroup, function: name } = call;
  const functionResponse = { responseBody: { TEXT: { body } } };
  return { messageVersion: '1.0', response: { actionGroup, function: name, functionResponse } };
}
