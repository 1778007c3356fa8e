/** For `@latchkey/cli` of the same version. Covered by no promise: it may change with any release. */

export { type ConfigProblem, findConfigProblems } from "./config-problems.ts"
