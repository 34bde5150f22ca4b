/** A port of which only these methods may be called; any other is a test's mistake and throws. */
export function fake<T extends object>(methods: object): T {
  return new Proxy(methods, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (method === undefined && name !== 'then') throw new Error(`The test does not expect ${String(name)}`);
      return method;
    },
  }) as T;
}
