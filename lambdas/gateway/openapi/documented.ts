/** What the API's document alone needs: made when the build makes the document. */
export type Documented<T> = () => T;

/**
 * Makes something for the API's document, once, when it is first asked for. The build leaves the call and what only it uses
 * out of the functions' bundles (`dev/tools/build.ts`): no handler may call what this returns.
 */
export function documented<T>(make: () => T): Documented<T> {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
