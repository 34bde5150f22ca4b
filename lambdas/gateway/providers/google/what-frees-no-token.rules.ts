/** Actions that do not lower the number of an account's live refresh tokens at Google, and those that do. */
export const WHAT_FREES_NO_TOKEN =
  'Deleting a connection here frees no token at Google unless its grant is revoked too, which ends all connections of the account.';
