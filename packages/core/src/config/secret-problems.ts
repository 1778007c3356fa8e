/** Secrets that are missing, or that somebody could guess. */
import { MissingSecret, WeakSecret } from "../errors.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

/** Fewest characters of a secret. */
const minSecretLength = 32
/** Fewest different characters; 32 random hex digits have fewer once in a hundred million times. */
const minDistinctCharacters = 6

/** What stands in examples, to be replaced. */
const placeholderPattern =
  /change[-_ ]?(?:me|this)|replace[-_ ]?(?:me|this)|your[-_ ]?(?:\w+[-_ ])?secret|random[-_ ]?characters|placeholder/i
/** Longest part that a text may not repeat all along. */
const maxRepeatedLength = 8

const generateHint = "Make one with: openssl rand -base64 33"

export function* findSecretProblems(
  config: Pick<ResolvedConfig, "secrets" | "jwt">,
): Generator<MissingSecret | WeakSecret> {
  const option = config.secrets.length === 0 ? "secret" : "jwt.secret"
  if (config.secrets.length === 0 || config.jwt.secrets.length === 0) {
    yield new MissingSecret({
      option,
      expected: "a `secret`",
      received: "nothing",
      hint: `Set \`${option}\` (or AUTH_SECRET) to at least ${minSecretLength} random characters. ${generateHint}`,
    })
  }
  const jwtSecrets = config.jwt.secrets === config.secrets ? [] : config.jwt.secrets
  const secretsByPath = [
    ...config.secrets.map((secret, index) => [
      formatSecretPath("secret", index, config.secrets),
      secret,
    ]),
    ...jwtSecrets.map((secret, index) => [
      formatSecretPath("jwt.secret", index, jwtSecrets),
      secret,
    ]),
  ] as [string, string][]
  for (const [path, secret] of secretsByPath) {
    const received = describeWeakness(secret)
    if (received === undefined) continue
    yield new WeakSecret({
      option: path,
      expected: `\`${path}\` to have at least ${minSecretLength} characters that nobody can guess`,
      received,
      hint: generateHint,
    })
  }
}

function formatSecretPath(option: string, index: number, list: readonly string[]): string {
  return list.length > 1 ? `${option}[${index}]` : option
}

/** Why a secret can be guessed, without saying what it is. */
function describeWeakness(secret: string): string | undefined {
  if (secret.length < minSecretLength) return `${secret.length} characters`
  if (placeholderPattern.test(secret)) return "the text of an example"
  const isMonotonous = new Set(secret).size < minDistinctCharacters || isRepetitive(secret)
  return isMonotonous ? "a few characters again and again" : undefined
}

function isRepetitive(secret: string): boolean {
  const lengths = Array.from({ length: maxRepeatedLength }, (_, index) => index + 1)
  return lengths.some((length) => secret.startsWith(secret.slice(length)))
}
