/** Checks of the secrets: every request is refused without one, or with one that can be guessed. */
import { type AuthError, MissingSecret, WeakSecret } from "../../errors.ts"
import type { ResolvedConfig, SessionConfig } from "../resolved-config.ts"
import { describeWeakness, minSecretLength } from "./secret-strength.ts"

type Secrets = Pick<SessionConfig, "secrets" | "jwt">

/** @param createHint returns how to set the option. @defaultValue the hint of the error */
export function checkSecretPresence(
  { secrets, jwt }: Secrets,
  createHint?: (option: string) => string,
): AuthError[] {
  if (secrets.length > 0 && jwt.secrets.length > 0) return []
  const option = secrets.length === 0 ? "secret" : "jwt.secret"
  const details = { option, expected: "a `secret`", received: "nothing" }
  return [new MissingSecret(createHint ? { ...details, hint: createHint(option) } : details)]
}

export function checkSecretStrength(
  config: Secrets & Partial<Pick<ResolvedConfig, "redirectProxySecrets">>,
): AuthError[] {
  const { secrets, jwt, redirectProxySecrets = jwt.secrets } = config
  const lists = {
    secret: secrets,
    "jwt.secret": jwt.secrets === secrets ? [] : jwt.secrets,
    redirectProxySecret: redirectProxySecrets === jwt.secrets ? [] : redirectProxySecrets,
  }
  return Object.entries(lists).flatMap(([name, list]) =>
    list.flatMap((secret, index) => {
      const received = describeWeakness(secret)
      const option = list.length > 1 ? `${name}[${index}]` : name
      const expected = `\`${option}\` to have at least ${minSecretLength} characters that nobody can guess`
      return received === undefined ? [] : new WeakSecret({ option, expected, received })
    }),
  )
}
