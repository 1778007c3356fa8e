/** Everywhere else: there are no files. */

/** Returns undefined. `env-file.node.ts` has the same function. */
export const findUnloadedEnvFile = (_variable: string): string | undefined => undefined
