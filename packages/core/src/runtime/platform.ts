/**
 * The implementations for the runtime that loads them. Only this module names the `imports` of the manifest: Node.js parses
 * the whole manifest again for each module that does.
 */

export { primitives } from "#primitives"
export { endProcess, findUnloadedEnvFile, findVariable, usesColors } from "#process"
