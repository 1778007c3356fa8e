import { runOnce } from "../store.ts"

/**
 * Creates methods that load with the first call of one of them, because few applications have their option.
 *
 * @param load imports the module, and creates the methods
 */
export function createLazyMethods<
  Methods extends { readonly [Name in keyof Methods]: (...parameters: never[]) => unknown },
>(names: readonly (keyof Methods & string)[], load: () => Promise<Methods>): Methods {
  const loadOnce = runOnce(load)
  const methods = names.map((name) => [
    name,
    async (...parameters: never[]) => (await loadOnce())[name](...parameters),
  ])
  return Object.fromEntries(methods) as Methods // each method returns a promise, or what a promise may stand for
}
