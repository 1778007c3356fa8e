/** Environment variables that do not do what they seem to. */
import { doubtful, type Finding, wrong } from "./finding.ts"
import { providersOf, type Subject } from "./subject.ts"

/** Names that other libraries read. */
const foreign: Readonly<Record<string, string>> = {
  NEXTAUTH_SECRET: "AUTH_SECRET",
  NEXTAUTH_URL: "AUTH_URL",
  NEXTAUTH_URL_INTERNAL: "AUTH_URL",
  AUTH_TRUSTED_HOST: "AUTH_TRUST_HOST",
  AUTH_BASE_URL: "AUTH_URL",
}

export function* environmentFindings(subject: Subject): Generator<Finding> {
  const { env } = subject
  for (const [name, instead] of Object.entries(foreign)) {
    if (!env[name] || env[instead]) continue
    yield doubtful(
      "variable-unread",
      `${name} is set, but Latchkey goes by ${instead}.`,
      `Rename it: ${instead}.`,
    )
  }
  for (const { id } of providersOf(subject)) yield* providerVariables(id, env)
  for (const [name, value = ""] of Object.entries(env)) {
    if (!name.startsWith("AUTH_") || !/^\s|\s$|^(["']).*\1$/s.test(value)) continue
    yield doubtful(
      "variable-quoted",
      `The value of ${name} begins or ends with a quote or a space, which counts as part of it.`,
      "Take the quotes away where the variable is set: only .env files know them.",
    )
  }
  if (subject.config.secret?.length && env["AUTH_SECRET_1"] && !readsEnvironment(subject)) {
    yield doubtful(
      "secret-not-rotated",
      "AUTH_SECRET_1 is set, but `secret` in the configuration goes first: it is never read.",
      "Leave `secret` out of the configuration, so that all AUTH_SECRET variables count.",
    )
  }
}

/** Whether the secrets in effect are those of the environment. */
function readsEnvironment({ config, env }: Subject): boolean {
  const secrets = Array.isArray(config.secret) ? config.secret : [config.secret]
  return secrets.includes(env["AUTH_SECRET_1"])
}

function* providerVariables(id: string, env: Subject["env"]): Generator<Finding> {
  const prefix = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`
  const bare = prefix.slice("AUTH_".length)
  const pairs = { CLIENT_ID: "ID", CLIENT_SECRET: "SECRET", ISSUER_URL: "ISSUER" }
  for (const [ending, instead] of Object.entries(pairs)) {
    for (const name of [prefix + ending, bare + ending]) {
      if (!env[name] || env[prefix + instead]) continue
      const what = `${name} is set, but the library reads ${prefix}${instead}.`
      yield doubtful("variable-unread", what, `Rename it, or hand its value to the provider ${id}.`)
    }
  }
}

/** The file that is named has to be there. */
export function missingFile(file: string): Finding {
  return wrong("env-file-missing", `There is no file ${file}.`, "Name the file with --env.")
}
