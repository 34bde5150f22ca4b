/** Id of the element with the JSON configuration of a page's script. */
export const PAGE_CONFIG_ID = 'page-config';

/**
 * The page's configuration, in the browser. Runs only there.
 *
 * @returns the value that the function passed to `htmlPage` as `scriptConfig`
 */
export function pageConfig<Config>(): Config {
  return JSON.parse(document.getElementById(PAGE_CONFIG_ID)?.textContent ?? 'null');
}
