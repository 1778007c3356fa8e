/** The functions of a module that return promises. */
export type AsyncFunctions<Module> = {
  readonly [Name in keyof Module as Module[Name] extends (
    ...parameters: never[]
  ) => Promise<unknown>
    ? Name
    : never]: Module[Name]
}

/**
 * Returns the functions of a module that return promises. It loads with the first call of one of them, so that processes
 * that never call one do not load it. Later calls cost no import. If loading fails, the call rejects, and the next one
 * tries again.
 *
 * @param load imports the module, or returns functions that need one
 */
/* @__NO_SIDE_EFFECTS__ */
export function loadOnFirstCall<Module extends object>(
  load: () => Promise<Module>,
): AsyncFunctions<Module> {
  let loaded: Module | undefined
  type Call = (...parameters: unknown[]) => unknown
  const find = (name: PropertyKey) => (loaded as Record<PropertyKey, Call>)[name]
  const loadAndCall = async (name: PropertyKey, parameters: unknown[]) => {
    loaded = await load()
    return find(name)?.(...parameters)
  }
  const get = (_: object, name: PropertyKey): Call | undefined => {
    if (name === "then") return undefined // otherwise, a promise could not resolve to the functions
    return (...parameters) => (loaded ? find(name)?.(...parameters) : loadAndCall(name, parameters))
  }
  return new Proxy({}, { get }) as AsyncFunctions<Module>
}
