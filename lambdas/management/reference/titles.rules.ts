/** Titles that contain proper names, or more than their id. */
const NAMED: Readonly<Record<string, string>> = {
  health: 'Check the gateway',
  search: 'Search everything',
  callback: 'Redirect URI',
  openApiDocument: 'OpenAPI document',
};

/**
 * A short title of an operation, such as "List connections" of `listConnections`.
 *
 * @param operationId as in the document
 */
export function titleOf(operationId: string): string {
  const named = Object.hasOwn(NAMED, operationId) ? NAMED[operationId] : undefined;
  if (named !== undefined) return named;
  const proxied = /^proxy([A-Z][a-z]+)$/.exec(operationId)?.[1];
  if (proxied !== undefined) return `${proxied.toUpperCase()} at the provider`;
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
