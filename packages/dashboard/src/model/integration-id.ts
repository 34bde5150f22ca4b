const ALLOWED = /^[A-Za-z0-9 ~:.@_-]{1,255}$/;

/** The problem of an integration id, as the gateway judges it; undefined for a valid one. */
export function integrationIdProblem(id: string): string | undefined {
  if (id === '') return 'Enter an id for the integration: your code sends it in every call.';
  if (!ALLOWED.test(id) || id.trim() !== id) return 'Use 1 to 255 letters, digits, spaces or ~ : . @ _ -';
  return undefined;
}

/** An id that is not taken yet: the provider's name, with a number where that is needed. */
export function suggestIntegrationId(provider: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? provider : `${provider}-${number}`;
    if (!taken.includes(id)) return id;
  }
}
