/** Runtimes other than Node.js, which have neither environment files, variables of a process, a terminal nor a process. */

/** Returns undefined. `process.node.ts` has the same function. */
export const findUnloadedEnvFile = (_variable: string): string | undefined => undefined

/** Returns undefined. `process.node.ts` has the same function. */
export const findVariable = (_names: readonly string[]): string | undefined => undefined

/** Returns false. `process.node.ts` has the same function. */
export const usesColors = (): boolean => false

/** Does nothing. `process.node.ts` has the same function. */
export const endProcess = (): void => undefined
