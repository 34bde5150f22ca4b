import { type ConnectionRef, sha256Hex } from '../../../gateway/core/identifiers.ts';
import type { TokenCipher } from '../../../gateway/core/ports.ts';
import type { EndpointKind } from '../../../gateway/server-tools/pins.rules.ts';
import {
  isObject,
  type JsonObject,
  type ToolCall,
  type ToolOutcome,
} from '../../../gateway/server-tools/tool.rules.ts';
import type { Agent } from '../agent.ts';
import { ToolFailure } from '../tools/tool-failure.rules.ts';
import { formNeeded } from './server-failure.ts';

interface FormDependencies {
  readonly cipher: TokenCipher;
}

/** Which endpoint serves a client: Google's approval forms need one that can show them (GA-24). */
export function endpointFor(clientCapabilities: JsonObject): EndpointKind {
  const { elicitation } = clientCapabilities;
  // A client that names no mode shows forms ("Elicitation", section "Capabilities").
  const showsForms = isObject(elicitation) && (isObject(elicitation.form) || Object.keys(elicitation).length === 0);
  return showsForms ? 'full' : 'self';
}

/** Google's form, for the person at the client. @param held id of the call's approval that a person has approved before */
export async function question(
  { cipher }: FormDependencies,
  agent: Agent,
  ref: ConnectionRef,
  call: ToolCall,
  { inputRequests, requestState }: JsonObject,
  held: string | undefined,
): Promise<ToolOutcome> {
  if (!isObject(inputRequests)) throw formNeeded();
  const state: SealedForm = {
    about: formDigest(agent, ref, call),
    state: typeof requestState === 'string' ? requestState : undefined,
    held,
  };
  return { question: { inputRequests, requestState: await cipher.encrypt(formContext(ref), JSON.stringify(state)) } };
}

/** What a form is bound to: the key, the connection, the tool and its arguments (GA-24). */
function formDigest({ key }: Agent, { integrationId, connectionId }: ConnectionRef, { name, args }: ToolCall): string {
  return sha256Hex(JSON.stringify([key.keyHash, integrationId, connectionId, name, args]));
}

function formContext({ accountId, integrationId, connectionId }: ConnectionRef) {
  return { accountId, integrationId, recordId: connectionId, field: 'providerForm', purpose: 'cursors' } as const;
}

/** What a client brings back with the answer to a form. */
interface SealedForm {
  readonly about: string;
  /** Google's own state. */
  readonly state: string | undefined;
  /** Id of the approval at the gateway, where a person has approved the call before Google asked. */
  readonly held: string | undefined;
}

/**
 * The form that a repeat answers: Google's own state goes back with the user's answers, and the gateway adds none.
 *
 * @throws ToolFailure `invalid_request` for a state of another call
 */
export async function openForm(
  { cipher }: FormDependencies,
  agent: Agent,
  ref: ConnectionRef,
  call: ToolCall,
): Promise<Omit<SealedForm, 'about'> | undefined> {
  if (call.requestState === undefined) return undefined;
  const opened = await cipher.decrypt(formContext(ref), call.requestState).catch(() => '{}');
  const read: unknown = JSON.parse(opened);
  if (!isObject(read) || read.about !== formDigest(agent, ref, call)) {
    throw new ToolFailure('invalid_request', 'requestState belongs to another call. Call the tool again without it.');
  }
  const { state, held } = read;
  return {
    state: typeof state === 'string' ? state : undefined,
    held: typeof held === 'string' ? held : undefined,
  };
}
