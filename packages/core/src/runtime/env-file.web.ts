/** Runtimes other than Node.js, which have neither environment files nor variables of a process. */

/** Returns undefined. `env-file.node.ts` has the same function. */
export const findUnloadedEnvFile = (_variable: string): string | undefined => undefined

/** Returns undefined. `env-file.node.ts` has the same function. */
export const findVariable = (_names: readonly string[]): string | undefined => undefined
