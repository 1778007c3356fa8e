/** Removes secrets from a string: known secrets, and whatever looks like one. */

/** Replaces a secret. */
export const redactionMarker = "[redacted]"

/** The maximum length of a string in a log, in characters. */
const maxLength = 4096
/** The maximum length of a string in which known secrets are searched. */
const maxSearchedLength = 16_384
/** Shorter secrets occur in ordinary words. */
const minSecretLength = 4
const maxSecrets = 100

// A lookbehind keeps the time linear: the search does not start again at every character.
/** JWTs and JWEs; hex and base64url of at least 24 characters with a digit and a letter, except names of variables. */
const secretPattern =
  /(?<![\w-])(?!AUTH_[A-Z\d_]{1,100}(?![\w-]))(?=[\w-]{0,4096}\d)(?=[\w-]{0,4096}[A-Za-z])[\w-]{24,}(?:\.[\w-]*){0,4}/g
const schemeCredentials = /\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi
/** User and password of a URL, such as a connection string. */
const urlCredentials = /(\/\/)[^\s/@:]*:[^\s/]*@/g
const urlQuery = /([?&](?:code|state|email)=)[^&\s"']+/gi
/** Not options whose names only contain such a word: `token_endpoint_auth_method`. */
const secretNames = String.raw`(?<![\w-])(?![\w-]{0,80}_(?:method|alg|endpoint|type)(?![\w-]))[\w-]{0,40}?(?:passw(?:or)?d|pwd|secret|token|verifier|cookie|api_?key)[\w-]{0,40}`
/** `password=…`, as in connection strings and forms. */
const assignedSecret = new RegExp(
  String.raw`(${secretNames}\s?=\s?)("[^"]*"|'[^']*'|[^\s&;,"']+)`,
  "gi",
)
/** `"password": "…"` and `password: '…'`, as in JSON and printed objects. */
const printedSecret = new RegExp(
  String.raw`(${secretNames}["']?\s?:\s?)("(?:[^"\\]|\\.)*"|'[^']*')`,
  "gi",
)
/** Line breaks, terminal control characters, and changes of the writing direction. */
const controlCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Code in a sentence of the library, and what it quotes: all that may be a secret. */
const quotedParts = /`[^`]*`|"(?:[^"\\]|\\.)*"?/g
const addressCharacter = "[^\\s<>\"'`,;:()[\\]/=&?@]"
/** E-mail addresses: the first character of the local part, and the domain. */
const emailAddresses = new RegExp(
  `(?<!${addressCharacter})(${addressCharacter})${addressCharacter}*(?:@|%40)(${addressCharacter}+)`,
  "gi",
)

/** Makes strings safe for a log. */
export interface TextRedactor {
  /** Returns a single line, so that input from a request cannot start a line of its own. */
  redactLine(text: string): string
  /** Redacts only what a sentence of the library quotes: its words may be the password of somebody. */
  redactSentence(text: string): string
  /** Returns the frames of an error's stack, without the message. */
  redactStack(error: Error): string
}

/**
 * @param knownSecrets the most important secrets first, because only the first ones are used
 * @param hidesAddresses whether to shorten e-mail addresses
 */
export function createTextRedactor(
  knownSecrets: readonly string[],
  hidesAddresses = false,
): TextRedactor {
  const secrets = listEncodings(knownSecrets)

  // Longest first, with a placeholder that no secret contains, so that a shorter secret never matches a leftover.
  const replaceKnownSecrets = (text: string): string => {
    const line = secrets
      .reduce((rest, secret) => rest.replaceAll(secret, "\uE000"), text.slice(0, maxSearchedLength))
      .replaceAll("\uE000", redactionMarker)
    return hidesAddresses ? line.replace(emailAddresses, "$1…@$2") : line
  }
  const finish = (text: string): string =>
    escapeControlCharacters(replaceSecretPatterns(truncate(text)))
  const replaceInValue = (part: string) => (part.startsWith('"') ? replaceKnownSecrets(part) : part)

  return {
    redactLine: (text) => finish(replaceKnownSecrets(text)),
    redactSentence: (text) =>
      finish(text.slice(0, maxSearchedLength).replace(quotedParts, replaceInValue)),
    redactStack(error) {
      const stack = String(error.stack ?? "")
      const message = String(error.message)
      const start = message === "" ? 0 : Math.max(0, stack.indexOf(message)) + message.length
      const lines = stack.slice(start).split("\n", 40)
      const frames = lines.filter((line) => /^\s+at /.test(line)).slice(0, 12)
      return frames
        .map((line) => escapeControlCharacters(replaceKnownSecrets(line).slice(0, 500)))
        .join("\n")
    },
  }
}

/** Returns the known secrets in all encodings, longest first. */
function listEncodings(knownSecrets: readonly string[]): readonly string[] {
  const longEnough = knownSecrets.filter((secret) => secret.length >= minSecretLength)
  // Only the first ones, because a request can contain any number of them.
  const uniqueSecrets = [...new Set(longEnough)].slice(0, maxSecrets)
  const encodings = uniqueSecrets.flatMap((secret) => {
    const formEncoded = new URLSearchParams({ s: secret }).toString().slice(2)
    return [
      secret,
      JSON.stringify(secret).slice(1, -1),
      formEncoded,
      formEncoded.replaceAll("+", "%20"),
    ]
  })
  return [...new Set(encodings)].sort((a, b) => b.length - a.length)
}

/** Cuts the text between words, because part of a secret is not recognised as one. */
function truncate(text: string): string {
  if (text.length <= maxLength) return text
  let end = maxLength
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1
  return `${text.slice(0, end)}…`
}

function replaceSecretPatterns(text: string): string {
  return text
    .replace(schemeCredentials, `$1 ${redactionMarker}`)
    .replace(urlCredentials, `$1${redactionMarker}@`)
    .replace(assignedSecret, `$1${redactionMarker}`)
    .replace(printedSecret, `$1${redactionMarker}`)
    .replace(urlQuery, `$1${redactionMarker}`)
    .replace(secretPattern, redactionMarker)
}

function escapeControlCharacters(text: string): string {
  return text.replace(
    controlCharacters,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}
