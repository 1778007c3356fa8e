/** The minimum length of a secret, in characters. */
export const minSecretLength = 32

/** The minimum number of different characters. One in 10^8 strings of 32 random hex digits has fewer. */
const minDistinctCharacters = 6

/** The longest pattern whose repetition makes a secret weak, in characters. */
const maxRepeatedLength = 8

/** Placeholders in examples. */
const placeholderPattern =
  /change[-_ ]?(?:me|this)|replace[-_ ]?(?:me|this)|your[-_ ]?(?:\w+[-_ ])?secret|random[-_ ]?characters|placeholder/i

/** Describes why a secret can be guessed, without quoting it. Returns undefined for a strong secret. */
export function describeWeakness(secret: string): string | undefined {
  if (secret.length < minSecretLength) return `${secret.length} characters`
  if (placeholderPattern.test(secret)) return "the text of an example"
  if (isRepetitive(secret)) return "a short repeated pattern"
  return new Set(secret).size < minDistinctCharacters ? "few different characters" : undefined
}

function isRepetitive(secret: string): boolean {
  const lengths = Array.from({ length: maxRepeatedLength }, (_, index) => index + 1)
  return lengths.some((length) => secret.startsWith(secret.slice(length)))
}
