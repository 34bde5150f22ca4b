import { causeLabel } from './causes.ts';
import { EVENT_TEXTS, type EventText } from './event-words.ts';

/** Text for an event type; an unknown one unchanged. */
export function eventText(type: string): EventText {
  return EVENT_TEXTS[type] ?? { title: type, tone: 'info', remarks: {} };
}

/**
 * What an event says in addition to its type, such as "The user granted more than before."; a word that is not known is spelled out.
 * Undefined where it says nothing more.
 *
 * @param keyNameOf name of the secret key that an id begins; undefined where it is named elsewhere
 */
export function remarkText(
  type: string,
  data: Readonly<Record<string, string>>,
  keyNameOf: (keyId: string) => string | undefined = (keyId) => keyId,
): string | undefined {
  const { remarks } = eventText(type);
  const word = data.reason ?? data.outcome ?? data.credentials ?? data.provider_error;
  const keyName = data.key_id === undefined ? undefined : keyNameOf(data.key_id);
  const parts = [
    keyName === undefined ? undefined : `Secret key ${keyName}.`,
    data.files === undefined ? undefined : data.files === '1' ? 'One file.' : `${data.files} files.`,
    data.live_tokens === undefined ? undefined : `${data.live_tokens} of ${data.token_limit}.`,
    data.provider === undefined ? undefined : `Provider ${data.provider}.`,
    word === undefined ? undefined : (remarks[word] ?? spelledOut(word)),
  ].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(' ');
  // Until 0.4.0 the cause also repeats the id of the key, session or webhook that the event is about.
  const repeated = data.key_id ?? data.session_id ?? data.webhook_id;
  if (data.cause === undefined || repeated !== undefined) return undefined;
  const label = causeLabel(data.cause);
  return label === data.cause ? spelledOut(label) : label;
}

function spelledOut(word: string): string {
  return word.replaceAll('_', ' ');
}

/** The actor. @param name where known; for a connect session its end user's */
export function actorText(actor: string | undefined, name?: string): string {
  if (actor === undefined) return 'the gateway itself';
  const [kind, id = '', role = ''] = actor.split(':');
  if (kind === 'session') return name === undefined ? 'the end user' : `the end user ${name}`;
  if (name !== undefined) return kind === 'key' ? `secret key ${name}` : kind === 'iam' ? `IAM role ${name}` : name;
  if (kind === 'key') return `secret key ${id.slice(0, 12)}`;
  if (kind === 'operator') return `operator ${id.slice(0, 8)}`;
  if (kind === 'iam') return `IAM role ${role} of AWS account ${id}`;
  return actor;
}

/** The creator of a secret key. @param name where known */
export function makerText(createdBy: string | undefined, name: string | undefined): string {
  if (createdBy === undefined) return 'Not known';
  const text = actorText(createdBy === 'gateway' ? undefined : createdBy, name);
  return text === name ? name : text.charAt(0).toUpperCase() + text.slice(1);
}
