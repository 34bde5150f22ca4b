/** Stands for a member that the code under test must not call. */
export function notUsed(): never {
  throw new Error('This member is not used here');
}
