/**
 * Loads a module that the build has put next to the bundle as `<name>.mjs`, because most processes never need it.
 *
 * @typeParam Module the module's exports
 */
export function laterModule<Module>(name: string): Promise<Module> {
  return import(new URL(`./${name}.mjs`, import.meta.url).href);
}
