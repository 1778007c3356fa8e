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
  /** The six-digit code of the text, or of the HTML if there is no text, without spaces and dashes in it. */
  readonly code: string | undefined
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
    code: findCode(text.trim() ? text : extractText(html)),
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

/** Six digits, perhaps in two groups, that are no part of a link, an address or a longer number. */
const codePattern =
  /(?<![\p{L}\p{N}_@#/.+-]|\d )\d{3}[ \u00a0\u2009\u202f\u2011-]?\d{3}(?![\p{L}\p{N}_@/-]|[.:,]\d| \d)/u

function findCode(text: string): string | undefined {
  const withoutLinks = text.replace(/https?:\/\/[^\s<>"]+/g, " ")
  return codePattern.exec(withoutLinks)?.[0].replace(/\D/g, "")
}

/** Returns the text of HTML. Tags separate words, except for those within a line. */
function extractText(html: string): string {
  const content = html.replace(/<!--.*?-->|<(style|script|title)\b.*?<\/\1\s*>/gis, " ")
  const lines = content.replace(/<\/?(?:a|b|code|em|font|i|mark|span|strong|u)\b[^>]*>/gi, "")
  return decodeHtmlEntities(lines.replace(/<[^>]*>/g, "\n"))
}

function extractHrefs(html: string): string[] {
  const hrefs = [...html.matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
  return hrefs
    .map(([, double, single]) => decodeHtmlEntities(double ?? single ?? "").trim())
    .filter((href) => /^https?:\/\//i.test(href))
}

const htmlEntities: Readonly<Record<string, string>> = {
  nbsp: "\u00a0",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
}

/** Decodes the character references that links and codes need. Unknown ones remain. */
function decodeHtmlEntities(value: string): string {
  return value.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (match, decimal, hex, name) => {
    if (name !== undefined) return htmlEntities[name.toLowerCase()] ?? match
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : match
  })
}
