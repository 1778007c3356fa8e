/** Checks for environment variables without the intended effect. */

import { type DoctorContext, listProviders } from "./doctor-context.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"

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
  for (const [name, value = ""] of Object.entries(env)) {
    if (!name.startsWith("AUTH_") || !/^\s|\s$|^(["']).*\1$/s.test(value)) continue
    yield createWarningFinding(
      "variable-quoted",
      `The value of ${name} begins or ends with a quote or a space, which is part of the value.`,
      "Remove the quotes where the variable is set. Only .env files use them.",
    )
  }
  if (context.config.secret?.length && env["AUTH_SECRET_1"] && !usesEnvironmentSecrets(context)) {
    yield createWarningFinding(
      "secret-not-rotated",
      "AUTH_SECRET_1 is set but not used, because `secret` in the configuration takes precedence.",
      "Remove `secret` from the configuration, so that all AUTH_SECRET variables are used.",
    )
  }
}

/** Whether the secrets come from the environment. */
function usesEnvironmentSecrets({ config, env }: DoctorContext): boolean {
  const secrets = Array.isArray(config.secret) ? config.secret : [config.secret]
  return secrets.includes(env["AUTH_SECRET_1"])
}

function* checkProviderVariables(id: string, env: DoctorContext["env"]): Generator<Finding> {
  const prefix = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`
  const unprefixed = prefix.slice("AUTH_".length)
  const suffixReplacements = { CLIENT_ID: "ID", CLIENT_SECRET: "SECRET", ISSUER_URL: "ISSUER" }
  for (const [suffix, replacement] of Object.entries(suffixReplacements)) {
    for (const name of [prefix + suffix, unprefixed + suffix]) {
      if (!env[name] || env[prefix + replacement]) continue
      const what = `${name} is set, but Latchkey reads ${prefix}${replacement}.`
      yield createWarningFinding(
        "variable-unread",
        what,
        `Rename it, or pass its value to the provider ${id}.`,
      )
    }
  }
}

export function createMissingEnvFileFinding(file: string): Finding {
  return createErrorFinding(
    "env-file-missing",
    `The file ${file} does not exist.`,
    "Pass the file with --env.",
  )
}
