import { findUnloadedEnvFile } from "#env-file"

/**
 * Returns how to set an environment variable: how to load it if an environment file sets it already.
 *
 * @param hint how to set it if no file does
 */
export function createVariableHint(variable: string, hint: string): string {
  const file = findUnloadedEnvFile(variable)
  if (file === undefined) return hint
  return `\`${file}\` sets ${variable}, but was not loaded: start Node.js with \`--env-file=${file}\`, or load the file in your code.`
}
