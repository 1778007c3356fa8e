/** Which addresses a link may be sent to. */
import { foldCase, toAsciiDomain } from "../../config/adapter-store.ts"
import { InvalidEmail } from "../../errors.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"

/** RFC 5321 section 4.5.3.1: 64 octets before the `@`, 255 after it. */
const maxAddressLength = 320

// A program such as sendmail takes an address that begins with a hyphen for an option.
// Characters with which an e-mail program or server could read more than one plain address: quotes, lists, comments,
// routes, groups, headers, encoded words (RFC 2047), and what domain names are read without (UTS 46).
const ambiguousCharacters = /["`,;:<>()[\]\\|%!\s\p{Cc}\p{Cf}\p{Cs}\p{DI}]|=\?/u

/** Control characters, which trimming would hide, and characters that look like `@`. */
const deceptiveCharacters = /[\p{Cc}\uFE6B\uFF20]/u

/** A domain of the public network: it has a dot, and its last part is neither a number nor `localhost`. */
const domainPattern =
  /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]*\.(?!(?:\d+|0x[\da-f]*|localhost)$)[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}]$/u

/**
 * Normalizes an address (Unicode NFKC, lower case, the domain in ASCII), and checks it, so that the checked address is
 * the one in use.
 *
 * @throws InvalidEmail for anything but one plain address
 */
export function normalizeEmailAddress(input: unknown): string {
  if (typeof input === "string" && input.length <= maxAddressLength) {
    const typed = foldCase(input).trim()
    const address = toAsciiDomain(typed)
    const isPlain = isPlainAddress(typed) && isPlainAddress(address)
    if (!deceptiveCharacters.test(input) && isPlain) return address
  }
  throw new InvalidEmail({
    expected: "one e-mail address, such as ann@example.com",
    hint: "Quotes, lists, comments, white space, a hyphen at the start and local domains are not accepted.",
  })
}

function isPlainAddress(address: string): boolean {
  const [local, domain, more] = address.split("@")
  if (!local || !domain || more !== undefined || address.length > maxAddressLength) return false
  if (ambiguousCharacters.test(address) || /^[.-]|\.$|\.\./.test(local)) return false
  return domainPattern.test(domain) && !domain.includes("..")
}

/**
 * Matches the identifiers that any `normalizeIdentifier` may return: without characters that could end a header or add
 * addresses, and not an option of a program such as sendmail.
 */
export const identifierPattern: RegExp = /^(?!-)[^\s\p{Cc},;"<>@]+(?:@[^\s\p{Cc},;"<>@]+)?$/u

/**
 * Normalizes the address that a user typed.
 *
 * @throws InvalidEmail
 */
export async function normalizeIdentifier(
  { id: provider, definition: { normalizeIdentifier: normalize } }: ResolvedEmailProvider,
  input: unknown,
): Promise<string> {
  if (!normalize) return normalizeEmailAddress(input)
  let address: unknown
  try {
    // Awaited although its type is synchronous, so that a rejection does not go unhandled.
    address = typeof input === "string" ? await normalize(input) : undefined
  } catch (cause) {
    throw new InvalidEmail({ summary: "`normalizeIdentifier` refused it." }, { provider, cause })
  }
  if (typeof address === "string" && address.length <= 320 && identifierPattern.test(address))
    return address
  throw new InvalidEmail({ provider, expected: "one e-mail address" })
}
