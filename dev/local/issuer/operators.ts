/** Operators who may sign in locally: fictional, with fixed identities, because a data folder names them in its audit trail. */

export interface LocalOperator {
  /** `sub` of tokens: a UUID, as in Cognito. */
  subject: string;
  email: string;
  /** Groups of the user pool. */
  groups?: readonly string[];
  /** Claims that the pool's function added. */
  claims?: Readonly<Record<string, string>>;
}

export const LOCAL_OPERATORS: readonly [LocalOperator, ...LocalOperator[]] = [
  { subject: '5d6c3d0e-0f0b-4c57-9d57-2b8f3c1e7a01', email: 'operator@example.com' },
  { subject: '5d6c3d0e-0f0b-4c57-9d57-2b8f3c1e7a02', email: 'second.operator@example.com' },
  { subject: '5d6c3d0e-0f0b-4c57-9d57-2b8f3c1e7a03', email: 'viewer@example.com', groups: ['viewer'] },
];

/** The operator of a subject, or undefined. */
export function findOperator(subject: string | undefined): LocalOperator | undefined {
  return LOCAL_OPERATORS.find((operator) => operator.subject === subject);
}
