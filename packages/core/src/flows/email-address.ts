/** Which addresses a link may be sent to. */
import { foldEmailAddress } from "../config/fold-email-address.ts"
import { InvalidEmail } from "../errors.ts"

/** RFC 5321 section 4.5.3.1: 64 octets before the `@`, 255 after it. */
const maxAddressLength = 320

// Characters with which an e-mail program or server could read more than one plain address: quotes, lists, comments,
// routes, groups, headers, encoded words (RFC 2047).
const ambiguousCharacters = /["`,;:<>()[\]\\|%!\s\p{Cc}\p{Cf}\p{Cs}]|=\?/u

/** Control characters, which trimming would hide, and characters that look like `@`. */
const deceptiveCharacters = /[\p{Cc}\uFE6B\uFF20]/u

const domainPattern = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?$/u

/**
 * Normalizes an address (Unicode NFKC, lower case), then checks it, so that the checked address is the one in use.
 *
 * @throws InvalidEmail for anything but one plain address
 */
export function normalizeEmailAddress(input: unknown): string {
  if (typeof input === "string" && input.length <= maxAddressLength) {
    const address = foldEmailAddress(input).trim()
    if (!deceptiveCharacters.test(input) && isPlainAddress(address)) return address
  }
  throw new InvalidEmail({
    expected: "one e-mail address, such as ann@example.com",
    hint: "Quotes, lists, comments and white space are not accepted.",
  })
}

function isPlainAddress(address: string): boolean {
  const [local, domain, more] = address.split("@")
  if (!local || !domain || more !== undefined || address.length > maxAddressLength) return false
  if (ambiguousCharacters.test(address) || /^\.|\.$|\.\./.test(local)) return false
  return domainPattern.test(domain) && !domain.includes("..")
}
