/**
 * Returns a function whose module loads with its first call, so that processes that never call it do not load the
 * module. Later calls cost no import. If loading fails, the call rejects, and the next one tries again.
 *
 * @param load imports the module and returns its function
 */
/* @__NO_SIDE_EFFECTS__ */
export function loadOnFirstCall<Parameters extends readonly unknown[], Result>(
  load: () => Promise<(...parameters: Parameters) => Promise<Result>>,
): (...parameters: Parameters) => Promise<Result> {
  let loaded: ((...parameters: Parameters) => Promise<Result>) | undefined
  const loadAndCall = async (...parameters: Parameters): Promise<Result> => {
    loaded = await load()
    return loaded(...parameters)
  }
  return (...parameters) => (loaded ?? loadAndCall)(...parameters)
}
