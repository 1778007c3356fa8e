/** Secrets that are missing, or that somebody could guess. */
import { MissingSecret, WeakSecret } from "../errors.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

/** Fewest characters of a secret. */
const shortestSecret = 32
/** Fewest different characters; 32 random hex digits have fewer once in a hundred million times. */
const fewestCharacters = 6

/** What stands in examples, to be replaced. */
const placeholder =
  /change[-_ ]?(?:me|this)|replace[-_ ]?(?:me|this)|your[-_ ]?(?:\w+[-_ ])?secret|random[-_ ]?characters|placeholder/i
/** Longest part that a text may not repeat all along. */
const longestRepeated = 8

const command = "Make one with: openssl rand -base64 33"

export function* secretProblems(
  config: Pick<ResolvedConfig, "secrets" | "jwt">,
): Generator<MissingSecret | WeakSecret> {
  const option = config.secrets.length === 0 ? "secret" : "jwt.secret"
  if (config.secrets.length === 0 || config.jwt.secrets.length === 0) {
    yield new MissingSecret({
      option,
      expected: "a `secret`",
      came: "nothing",
      hint: `Set \`${option}\` (or AUTH_SECRET) to at least ${shortestSecret} random characters. ${command}`,
    })
  }
  const own = config.jwt.secrets === config.secrets ? [] : config.jwt.secrets
  const named = [
    ...config.secrets.map((secret, index) => [place("secret", index, config.secrets), secret]),
    ...own.map((secret, index) => [place("jwt.secret", index, own), secret]),
  ] as [string, string][]
  for (const [where, secret] of named) {
    const came = weakness(secret)
    if (came === undefined) continue
    yield new WeakSecret({
      option: where,
      expected: `\`${where}\` to have at least ${shortestSecret} characters that nobody can guess`,
      came,
      hint: command,
    })
  }
}

function place(option: string, index: number, list: readonly string[]): string {
  return list.length > 1 ? `${option}[${index}]` : option
}

/** Why a secret can be guessed, without saying what it is. */
function weakness(secret: string): string | undefined {
  if (secret.length < shortestSecret) return `${secret.length} characters`
  if (placeholder.test(secret)) return "the text of an example"
  const isMonotonous = new Set(secret).size < fewestCharacters || repeatsItself(secret)
  return isMonotonous ? "a few characters again and again" : undefined
}

function repeatsItself(secret: string): boolean {
  const lengths = Array.from({ length: longestRepeated }, (_, index) => index + 1)
  return lengths.some((length) => secret.startsWith(secret.slice(length)))
}
