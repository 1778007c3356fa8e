/** What counts as an address that a link may be sent to. */
import { InvalidEmail } from "../errors.ts"

/** RFC 5321 section 4.5.3.1: 64 octets before the sign, 255 after it. */
const maxAddressLength = 320

// Everything that a mail program or server could read as more than one plain address: quotes, lists,
// comments, routes, groups, headers, encoded words (RFC 2047).
const ambiguousCharacters = /["`,;:<>()[\]\\|%!\s\p{Cc}\p{Cf}\p{Cs}]|=\?/u

/** Control characters, which trimming would hide, and signs that only look like the one in an address. */
const deceptiveCharacters = /[\p{Cc}\uFE6B\uFF20]/u

/**
 * Normalises an address (Unicode NFKC, lower case) and then checks it, so that what was checked is what is used.
 *
 * @throws InvalidEmail for anything but one plain address
 */
export function normalizeEmailAddress(input: unknown): string {
  if (
    typeof input !== "string" ||
    input.length > maxAddressLength ||
    deceptiveCharacters.test(input)
  )
    throw createEmailError()
  const address = input.normalize("NFKC").toLowerCase().normalize("NFKC").trim()
  const [local, domain, more] = address.split("@")
  if (!local || !domain || more !== undefined || address.length > maxAddressLength)
    throw createEmailError()
  if (ambiguousCharacters.test(address) || /^\.|\.$|\.\./.test(local)) throw createEmailError()
  if (!/^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?$/u.test(domain))
    throw createEmailError()
  if (domain.includes("..")) throw createEmailError()
  return address
}

function createEmailError(): InvalidEmail {
  return new InvalidEmail({
    expected: "one e-mail address, such as ann@example.com",
    hint: "Quotes, lists, comments and white space are not accepted.",
  })
}
