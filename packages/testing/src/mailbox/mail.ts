import PostalMime from "postal-mime"

/** A received mail. */
export interface Mail {
  /** Sender address of the envelope. */
  readonly from: string
  /** Recipient addresses of the envelope. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The links of the text in order, or of the HTML if there is no text. */
  readonly links: readonly string[]
  /** Header fields by lower-case name. The last of repeated fields counts. */
  readonly headers: ReadonlyMap<string, string>
  /** Header and body as sent. */
  readonly raw: string
}

/** Parses a mail. */
export async function parseMail(raw: string, from: string, to: readonly string[]): Promise<Mail> {
  const { subject = "", text = "", html = "", headers } = await PostalMime.parse(raw)
  const links = extractLinks(text)
  return {
    from,
    to,
    subject,
    text: text.trim(),
    html,
    links: links.length > 0 ? links : extractHrefs(html),
    headers: new Map(headers.map(({ key, value }) => [key, value])),
    raw,
  }
}

/** Extracts URLs from text, without the punctuation that follows them. */
function extractLinks(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"]+/g) ?? []
  return found.map((link) => {
    const trimmedLink = link.replace(/[.,;:!?'*_~]+$/, "")
    return trimmedLink.endsWith(")") && !trimmedLink.includes("(")
      ? trimmedLink.replace(/\)+[.,;:!?]*$/, "")
      : trimmedLink
  })
}

function extractHrefs(html: string): string[] {
  const hrefs = [...html.matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
  return hrefs
    .map(([, double, single]) => decodeHtmlEntities(double ?? single ?? "").trim())
    .filter((href) => /^https?:\/\//i.test(href))
}

const htmlEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
}

/** Decodes the character references that attributes need. Unknown ones remain. */
function decodeHtmlEntities(value: string): string {
  return value.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (match, decimal, hex, name) => {
    if (name !== undefined) return htmlEntities[name.toLowerCase()] ?? match
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match
  })
}
