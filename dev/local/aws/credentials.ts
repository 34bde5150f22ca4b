/** The credentials of one run: made again at each start, one for the operator and one for each function. */
import { randomBytes } from 'node:crypto';
import type { Json } from '../../tools/json.ts';
import { readPolicy, type Statement } from '../iam/policy.ts';
import type { LocalFunction } from '../template/functions.ts';

/** Credentials of an SDK client. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Only a role's credentials have one. */
  sessionToken?: string;
}

/**
 * The caller. `operator`: a person who runs the gateway, with every right. `limited`: an operator with the rights of one policy.
 * `function`: a session of a function's role, named as in Lambda.
 */
export type Caller =
  | { kind: 'operator'; name: string }
  | { kind: 'limited'; name: string; policy: readonly Statement[] }
  | { kind: 'function'; name: string; roleArn: string; sessionName: string };

/** The credentials that the emulated AWS services accept, and whose they are. */
export interface CredentialBook {
  readonly operator: AwsCredentials;
  ofFunction(fn: Pick<LocalFunction, 'displayName' | 'name' | 'roleArn'>): AwsCredentials;
  /** Credentials of an operator who has the rights of one policy document and no others. @throws Error for a policy that cannot be judged. */
  limitedTo(policy: Json, name: string): AwsCredentials;
  find(accessKeyId: string): { caller: Caller; credentials: AwsCredentials } | undefined;
}

/** Makes a book. */
export function openCredentialBook(): CredentialBook {
  const known = new Map<string, { caller: Caller; credentials: AwsCredentials }>();
  const byFunction = new Map<string, AwsCredentials>();
  const issue = (caller: Caller): AwsCredentials => {
    const temporary = caller.kind === 'function';
    const credentials: AwsCredentials = {
      // IAM guide, "IAM identifiers", Unique identifiers: AKIA begins a user's key, ASIA that of a session.
      accessKeyId: `${temporary ? 'ASIA' : 'AKIA'}${randomBytes(16).toString('hex').toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      ...(temporary ? { sessionToken: randomBytes(30).toString('base64') } : {}),
    };
    known.set(credentials.accessKeyId, { caller, credentials });
    return credentials;
  };
  return {
    operator: issue({ kind: 'operator', name: 'operator' }),
    ofFunction({ displayName, name, roleArn }) {
      const key = JSON.stringify([displayName, name, roleArn]);
      const issued = byFunction.get(key) ?? issue({ kind: 'function', name: displayName, roleArn, sessionName: name });
      byFunction.set(key, issued);
      return issued;
    },
    limitedTo: (policy, name) => issue({ kind: 'limited', name, policy: readPolicy(policy, 'identity', name) }),
    find: (accessKeyId) => known.get(accessKeyId),
  };
}
