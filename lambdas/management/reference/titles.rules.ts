/** Titles whose words are names, or that say more than their id. */
const NAMED: Readonly<Record<string, string>> = {
  health: 'Check the gateway',
  search: 'Search everything',
  callback: 'Redirect URI',
  openApiDocument: 'OpenAPI document',
};

/**
 * What an operation is called where there is room for a few words, such as "List connections" of `listConnections`.
 *
 * @param operationId as the document has it
 */
export function titleOf(operationId: string): string {
  const named = Object.hasOwn(NAMED, operationId) ? NAMED[operationId] : undefined;
  if (named !== undefined) return named;
  const proxied = /^proxy([A-Z][a-z]+)$/.exec(operationId)?.[1];
  if (proxied !== undefined) return `${proxied.toUpperCase()} at the provider`;
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
