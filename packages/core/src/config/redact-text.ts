/** Takes secrets out of a text: those that are known, and what looks like one. */

const redactionMarker = "[redacted]"

/** Longest text in a log, in characters. */
const maxLength = 4096
/** Longest text that known secrets are looked for in. */
const maxSearchedLength = 16_384
/** Shorter secrets are also parts of harmless words. */
const minSecretLength = 4
const maxSecrets = 100

// A look-behind instead of a search from every character: the time is linear in the length of the text.
/** JWTs and JWEs, hex and base64url of 24 characters and more that hold a digit and a letter. */
const secretPattern =
  /(?<![\w-])(?=[\w-]{0,4096}\d)(?=[\w-]{0,4096}[A-Za-z])[\w-]{24,}(?:\.[\w-]*){0,4}/g
const schemeCredentials = /\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]+/gi
/** User and password of a URL, such as a connection string. */
const urlCredentials = /(\/\/)[^\s/@:]*:[^\s/]*@/g
const urlQuery = /([?&](?:code|state|email)=)[^&\s"']+/gi
const secretNames = String.raw`(?<![\w-])[\w-]{0,40}?(?:passw(?:or)?d|pwd|secret|token|verifier|cookie|api_?key)[\w-]{0,40}`
/** `password=…`, as in connection strings and forms. */
const assignedSecret = new RegExp(
  String.raw`(${secretNames}\s?=\s?)("[^"]*"|'[^']*'|[^\s&;,"']+)`,
  "gi",
)
/** `"password": "…"` and `password: '…'`, as in JSON and in printed objects. */
const printedSecret = new RegExp(
  String.raw`(${secretNames}["']?\s?:\s?)("(?:[^"\\]|\\.)*"|'[^']*')`,
  "gi",
)
/** What ends a line or steers a terminal, and what turns the direction of writing. */
const controlCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Makes texts fit for a log. */
export interface TextRedactor {
  /** On one line, so that what a stranger sent cannot start a line of its own. */
  redactLine(text: string): string
  /** The frames of an error's stack, without the message that it repeats. */
  redactStack(error: Error): string
}

/** @param knownSecrets secrets, those first that matter most: their number is bounded */
export function createTextRedactor(knownSecrets: readonly string[]): TextRedactor {
  const secrets = listEncodings(knownSecrets)

  // Longest first, and not by the mark itself: what is left of a secret must not be found by a shorter one.
  const replaceKnownSecrets = (text: string): string =>
    secrets
      .reduce((rest, secret) => rest.replaceAll(secret, "\uE000"), text.slice(0, maxSearchedLength))
      .replaceAll("\uE000", redactionMarker)

  return {
    redactLine: (text) =>
      escapeControlCharacters(replaceSecretPatterns(truncate(replaceKnownSecrets(text)))),
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

/** The ways in which known secrets may be written, the longest first. */
function listEncodings(knownSecrets: readonly string[]): readonly string[] {
  const longEnough = knownSecrets.filter((secret) => secret.length >= minSecretLength)
  // The first ones: of a request, a stranger decides how many there are.
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
  return [...new Set(encodings)].sort(compareByLength)
}

function compareByLength(a: string, b: string): number {
  return b.length - a.length
}

/** Cut before a word, because half a secret does not look like one. */
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
