/** Checks of the secrets: every request is refused without one, or with one that can be guessed. */
import { type AuthError, MissingSecret, WeakSecret } from "../../errors.ts"
import type { ResolvedConfig, SessionConfig } from "../resolved-config.ts"

/** The minimum length of a secret, in characters. */
const minSecretLength = 32

/** The minimum number of different characters. One in 10^8 strings of 32 random hex digits has fewer. */
const minDistinctCharacters = 6

/** The longest pattern whose repetition makes a secret weak, in characters. */
const maxRepeatedLength = 8

/** Placeholders in examples. */
const placeholderPattern =
  /change[-_ ]?(?:me|this)|replace[-_ ]?(?:me|this)|your[-_ ]?(?:\w+[-_ ])?secret|random[-_ ]?characters|placeholder/i

/**
 * Returns the errors of the secrets.
 *
 * @param completeHint completes the hint how to set a missing one
 */
export function checkSecrets(
  config: Pick<SessionConfig, "secrets" | "jwt"> &
    Partial<Pick<ResolvedConfig, "redirectProxySecrets">>,
  completeHint = (hint: string): string => hint,
): AuthError[] {
  const { secrets, jwt, redirectProxySecrets = jwt.secrets } = config
  const lists = {
    secret: secrets,
    "jwt.secret": jwt.secrets === secrets ? [] : jwt.secrets,
    redirectProxySecret: redirectProxySecrets === jwt.secrets ? [] : redirectProxySecrets,
  }
  const weakSecrets = Object.entries(lists).flatMap(([name, list]) =>
    list.flatMap((secret, index) => {
      const received = describeWeakness(secret)
      const option = list.length > 1 ? `${name}[${index}]` : name
      const expected = `\`${option}\` to have at least ${minSecretLength} characters that nobody can guess`
      return received === undefined ? [] : new WeakSecret({ option, expected, received })
    }),
  )
  if (secrets.length > 0 && jwt.secrets.length > 0) return weakSecrets
  const option = secrets.length === 0 ? "secret" : "jwt.secret"
  const hint = completeHint(MissingSecret.hint.replace("`secret`", `\`${option}\``))
  const missing = new MissingSecret({ option, expected: "a `secret`", received: "nothing", hint })
  return [missing, ...weakSecrets]
}

/** Describes why a secret can be guessed, without quoting it. Returns undefined for a strong secret. */
function describeWeakness(secret: string): string | undefined {
  if (secret.length < minSecretLength) return `${secret.length} characters`
  if (placeholderPattern.test(secret)) return "the text of an example"
  if (isRepetitive(secret)) return "a short repeated pattern"
  return new Set(secret).size < minDistinctCharacters ? "few different characters" : undefined
}

function isRepetitive(secret: string): boolean {
  const lengths = Array.from({ length: maxRepeatedLength }, (_, index) => index + 1)
  return lengths.some((length) => secret.startsWith(secret.slice(length)))
}
