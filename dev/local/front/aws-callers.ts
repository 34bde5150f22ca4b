/** IAM roles and users that exist on this computer alone, to sign requests of the REST API with. */
import { randomBytes } from 'node:crypto';
import type { AwsCredentials, CredentialBook } from '../aws/credentials.ts';
import { LOCAL_ACCOUNT_ID, roleIdOf } from '../template/references.ts';

/** The signer, as in API Gateway's `requestContext.identity`. */
export interface AwsIdentity {
  accountId: string;
  userArn: string;
  /** Unique id of the role and name of the session, unique id of the user, or id of the account. */
  user: string;
}

/** Credentials, and whose they are. */
export interface AwsCaller {
  credentials: AwsCredentials;
  identity: AwsIdentity;
  /** When the session ends. @default - never */
  endsAtMs?: number;
}

/**
 * Kinds of new callers: a role's session, a user, an account's root user, or a federated user. A role's path is in none of its
 * sessions' ARNs.
 */
export type NewAwsCaller =
  | RoleSession
  | { user: string; accountId?: string }
  | { root: true; accountId?: string }
  | { federatedUser: string; accountId?: string };

interface RoleSession {
  role: string;
  session?: string;
  roleId?: string;
  accountId?: string;
  endsAtMs?: number;
}

/** The callers whose signatures the front takes. */
export interface AwsCallers {
  /** Makes credentials of a role's session or of a user; they end with this run. */
  issue(caller: NewAwsCaller): AwsCaller;
  find(accessKeyId: string): AwsCaller | undefined;
}

/** Name of the role whose credentials `npm start` prints. */
export const LOCAL_ROLE = 'local-caller';

/** ARN of a role on this computer. */
export const localRoleArn = (role: string): string => `arn:aws:iam::${LOCAL_ACCOUNT_ID}:role/${role}`;

/** A unique id as IAM gives them. IAM guide, "IAM identifiers". */
const uniqueId = (prefix: string): string => prefix + randomBytes(12).toString('hex').toUpperCase().slice(0, 17);

/** Makes a book. @param functions whose roles sign, too @default - none */
export function openAwsCallers(functions?: Pick<CredentialBook, 'find'>): AwsCallers {
  const known = new Map<string, AwsCaller>();
  /** A role keeps its id from session to session. */
  const roleIds = new Map<string, string>();
  return {
    issue(wanted) {
      const { accountId = LOCAL_ACCOUNT_ID } = wanted;
      const isSession = 'role' in wanted || 'federatedUser' in wanted;
      const credentials: AwsCredentials = {
        accessKeyId: uniqueId(isSession ? 'ASIA' : 'AKIA'),
        secretAccessKey: randomBytes(30).toString('base64'),
        ...(isSession ? { sessionToken: randomBytes(60).toString('base64') } : {}),
      };
      const caller: AwsCaller =
        'role' in wanted
          ? { credentials, identity: sessionOf(wanted, accountId), ...endOf(wanted) }
          : { credentials, identity: { accountId, ...nameOf(wanted, accountId) } };
      known.set(credentials.accessKeyId, caller);
      return caller;
    },
    find: (accessKeyId) => known.get(accessKeyId) ?? functionSession(functions?.find(accessKeyId)),
  };

  function sessionOf({ role, session = 'local', roleId }: RoleSession, accountId: string): AwsIdentity {
    const name = `${accountId}/${role}`;
    const id = roleId ?? roleIds.get(name) ?? uniqueId('AROA');
    roleIds.set(name, id);
    return {
      accountId,
      userArn: `arn:aws:sts::${accountId}:assumed-role/${role}/${session}`,
      user: `${id}:${session}`,
    };
  }
}

/** A function as a session of its role, which is named as the function. */
function functionSession(found: ReturnType<CredentialBook['find']>): AwsCaller | undefined {
  if (found?.caller.kind !== 'function') return undefined;
  const { roleArn, sessionName } = found.caller;
  const role = roleArn.slice(roleArn.indexOf('/') + 1);
  return {
    credentials: found.credentials,
    identity: {
      accountId: LOCAL_ACCOUNT_ID,
      userArn: `arn:aws:sts::${LOCAL_ACCOUNT_ID}:assumed-role/${role}/${sessionName}`,
      user: `${roleIdOf(role)}:${sessionName}`,
    },
  };
}

/** IAM User Guide, "IAM identifiers" and "AWS JSON policy elements: Principal". */
function nameOf(wanted: Exclude<NewAwsCaller, RoleSession>, accountId: string): Omit<AwsIdentity, 'accountId'> {
  if ('user' in wanted) return { userArn: `arn:aws:iam::${accountId}:user/${wanted.user}`, user: uniqueId('AIDA') };
  if ('root' in wanted) return { userArn: `arn:aws:iam::${accountId}:root`, user: accountId };
  const { federatedUser } = wanted;
  return {
    userArn: `arn:aws:sts::${accountId}:federated-user/${federatedUser}`,
    user: `${accountId}:${federatedUser}`,
  };
}

function endOf({ endsAtMs }: { endsAtMs?: number }): { endsAtMs?: number } {
  return endsAtMs === undefined ? {} : { endsAtMs };
}
