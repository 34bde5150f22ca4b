/** A value that only the API's document needs: created when the build makes the document. */
export type Documented<T> = () => T;

/**
 * Creates something for the API's document on first use. The build removes the call and its dependencies from the functions' bundles
 * (`dev/tools/build.ts`), so no handler may call the result.
 */
export function documented<T>(make: () => T): Documented<T> {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
