/** What the API's document alone needs: made when the document is, and left out of the function's bundle. */
export type Documented<T> = () => T;

/** Makes it once, when it is first asked for: an answer's schema and an example cost a cold start nothing. */
export function documented<T>(make: () => T): Documented<T> {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
