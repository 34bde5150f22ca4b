/** Error codes that a new client secret can end; a client that Google disabled or deleted has nothing wrong with its secret. */
const OF_THE_SECRET: readonly (string | undefined)[] = ['invalid_client', 'unauthorized_client', 'credentials_missing'];

/** Whether replacing the client secret can help, by the error code with which the provider refuses the client. */
export function isSecretFault(error: string | undefined): boolean {
  return OF_THE_SECRET.includes(error);
}
