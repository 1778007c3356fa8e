import { findUnloadedEnvFile, findVariable } from "../../runtime/platform.ts"

/**
 * Returns how to set an environment variable: how to load it if an environment file sets it already, or to rename it if
 * it has the name that other libraries and the providers' own documentation use.
 *
 * @param hint how to set it if nothing does
 */
export function createVariableHint(variable: string, hint: string): string {
  const file = findUnloadedEnvFile(variable)
  if (file !== undefined)
    return `\`${file}\` sets ${variable}, but was not loaded: start Node.js with \`--env-file=${file}\`, or load the file in your code.`
  const otherName = findMisnamedVariable(variable)
  if (otherName === undefined) return hint
  return `${otherName} is set, but Latchkey reads ${variable}: rename it.`
}

/** The ends of names that other libraries and the providers' own documentation use. */
const otherFieldNames: Readonly<Record<string, readonly string[]>> = {
  ID: ["CLIENT_ID", "CLIENTID", "APP_ID"],
  SECRET: ["CLIENT_SECRET", "CLIENTSECRET", "APP_SECRET"],
  ISSUER: ["ISSUER_URL", "ISSUER_BASE_URL"],
}

/** Returns the variable that seems to be meant for another one, such as `GOOGLE_CLIENT_ID` for `AUTH_GOOGLE_ID`. */
function findMisnamedVariable(variable: string): string | undefined {
  if (variable === "AUTH_SECRET") return findVariable(["NEXTAUTH_SECRET"])
  const [, provider = "", field = ""] = /^AUTH_(.+)_([A-Z]+)$/.exec(variable) ?? []
  const names = (otherFieldNames[field] ?? []).map((name) => `${provider}_${name}`)
  return findVariable([...names.map((name) => `AUTH_${name}`), ...names, `${provider}_${field}`])
}
