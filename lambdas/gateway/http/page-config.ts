/** Id of the element that holds what a page's script is told, as JSON. */
export const PAGE_CONFIG_ID = 'page-config';

/**
 * What the page was made with, in the browser. Runs there alone.
 *
 * @returns the value that the function gave `htmlPage` as `scriptConfig`
 */
export function pageConfig<Config>(): Config {
  return JSON.parse(document.getElementById(PAGE_CONFIG_ID)?.textContent ?? 'null');
}
