/** Checks for environment variables without the intended effect. */

import { type DoctorContext, listProviders } from "./doctor-context.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"
import { detectFramework } from "./framework.ts"

/** Names that other libraries use. */
const variableReplacements: Readonly<Record<string, string>> = {
  NEXTAUTH_SECRET: "AUTH_SECRET",
  NEXTAUTH_URL: "AUTH_URL",
  NEXTAUTH_URL_INTERNAL: "AUTH_URL",
  AUTH_TRUSTED_HOST: "AUTH_TRUST_HOST",
  AUTH_BASE_URL: "AUTH_URL",
}

export function* checkEnvironmentVariables(context: DoctorContext): Generator<Finding> {
  const { env } = context
  for (const [name, replacement] of Object.entries(variableReplacements)) {
    if (!env[name] || env[replacement]) continue
    yield createWarningFinding(
      "variable-unread",
      `${name} is set, but Latchkey reads ${replacement}.`,
      `Rename it to ${replacement}.`,
    )
  }
  for (const { id } of listProviders(context)) yield* checkProviderVariables(id, env)
  yield* checkMisspeltVariables(context)
  for (const [name, value = ""] of Object.entries(env)) {
    if (name.startsWith("AUTH_")) yield* checkAddedCharacters(name, value)
  }
  if (context.config.secret?.length && env["AUTH_SECRET_1"] && !usesEnvironmentSecrets(context)) {
    yield createWarningFinding(
      "secret-not-rotated",
      "AUTH_SECRET_1 is set but not used, because `secret` in the configuration takes precedence.",
      "Remove `secret` from the configuration, so that all AUTH_SECRET variables are used.",
    )
  }
}

/** `@latchkey/next` reads the variables of earlier versions, too. */
function isReadByFramework(name: string): boolean {
  return detectFramework() === "next" && /^NEXTAUTH_(?:SECRET|URL)$/.test(name)
}

/** Sets the variables for which those of earlier versions stand in. */
export function readEarlierVariables(env: NodeJS.ProcessEnv): void {
  for (const [name, replacement] of Object.entries(variableReplacements))
    if (isReadByFramework(name) && env[name]) env[replacement] ||= env[name]
}

/** Finds characters around a value that came with a shell, an editor or a copy. */
function* checkAddedCharacters(name: string, value: string): Generator<Finding> {
  if (/^(["']).*\1$/s.test(value.trim()))
    yield createWarningFinding(
      "variable-quoted",
      `The value of ${name} is in quotes, which are part of the value.`,
      "Remove the quotes where the variable is set. Only .env files use them.",
    )
  else if (value !== value.trim())
    yield createWarningFinding(
      "variable-quoted",
      `The value of ${name} begins or ends with a space or a line break, which is part of the value.`,
      "Remove the spaces and line breaks around the value where the variable is set.",
    )
}

/** Whether the secrets come from the environment. */
function usesEnvironmentSecrets({ config, env }: DoctorContext): boolean {
  const secrets = Array.isArray(config.secret) ? config.secret : [config.secret]
  return secrets.includes(env["AUTH_SECRET_1"])
}

/** Returns the name of the environment variable for a field of a provider. */
export function getProviderVariable(id: string, field: "ID" | "SECRET" | "ISSUER"): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_${field}`
}

/** Names of other libraries and of the providers' own documentation, without the name of the provider. */
const fieldNames = {
  ID: ["CLIENT_ID", "CLIENTID", "APP_ID"],
  SECRET: ["CLIENT_SECRET", "CLIENTSECRET", "APP_SECRET"],
  ISSUER: ["ISSUER_URL", "ISSUER_BASE_URL"],
} as const

function* checkProviderVariables(id: string, env: DoctorContext["env"]): Generator<Finding> {
  for (const field of ["ID", "SECRET", "ISSUER"] as const) {
    const known = getProviderVariable(id, field)
    const prefix = known.slice(0, -field.length)
    const unprefixed = prefix.slice("AUTH_".length)
    const names = fieldNames[field].flatMap((each) => [prefix + each, unprefixed + each])
    for (const name of [...names, unprefixed + field]) {
      if (!env[name] || env[known]) continue
      const what = `${name} is set, but Latchkey reads ${known}.`
      const fix = `Rename it, or pass its value to the provider ${id}.`
      yield createWarningFinding("variable-unread", what, fix)
    }
  }
}

/** Finds variables whose names differ by one letter from one that is not set. */
function* checkMisspeltVariables(context: DoctorContext): Generator<Finding> {
  const { env } = context
  const providerNames = listProviders(context).flatMap(({ id }) =>
    (["ID", "SECRET", "ISSUER"] as const).map((field) => getProviderVariable(id, field)),
  )
  const known = ["AUTH_SECRET", "AUTH_URL", "AUTH_TRUST_HOST", ...providerNames]
  for (const name of Object.keys(env)) {
    if (!name.startsWith("AUTH") || known.includes(name)) continue
    const meant = known.find((each) => !env[each] && differsByOneEdit(name, each))
    if (meant === undefined) continue
    const what = `${name} is set, but Latchkey reads ${meant}.`
    yield createWarningFinding("variable-unread", what, `Rename it to ${meant}.`)
  }
}

/** Whether one letter was added, removed, changed, or exchanged with the next one. */
function differsByOneEdit(a: string, b: string): boolean {
  const start = [...a].findIndex((letter, index) => letter !== b[index])
  const at = start === -1 ? a.length : start
  const [restOfA, restOfB] = [a.slice(at), b.slice(at)]
  const swapped = `${restOfB[1] ?? ""}${restOfB[0] ?? ""}${restOfB.slice(2)}`
  return (
    restOfA.slice(1) === restOfB ||
    restOfA === restOfB.slice(1) ||
    restOfA.slice(1) === restOfB.slice(1) ||
    restOfA === swapped
  )
}

export function createMissingEnvFileFinding(file: string): Finding {
  return createErrorFinding(
    "env-file-missing",
    `The file ${file} does not exist.`,
    "Pass the file with --env.",
  )
}
