import PostalMime from "postal-mime"

/** A mail as it arrived. */
export interface Mail {
  /** Address of the sender, as the envelope had it. */
  readonly from: string
  /** Addresses of the recipients, as the envelope had them. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The links of the text, in order; those of the HTML when there is no text. */
  readonly links: readonly string[]
  /** Header fields by lower-case name; of a repeated one the last. */
  readonly headers: ReadonlyMap<string, string>
  /** Header and body as sent. */
  readonly raw: string
}

/** Reads a mail. */
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

/** Addresses in running text: what ends a sentence or closes a bracket behind them is not theirs. */
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

/** An attribute without the references that HTML needs there; unknown ones stay as they are. */
function decodeHtmlEntities(value: string): string {
  return value.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (match, decimal, hex, name) => {
    if (name !== undefined) return htmlEntities[name.toLowerCase()] ?? match
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match
  })
}
