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
export async function readMail(raw: string, from: string, to: readonly string[]): Promise<Mail> {
  const { subject = "", text = "", html = "", headers } = await PostalMime.parse(raw)
  const links = linksIn(text)
  return {
    from,
    to,
    subject,
    text: text.trim(),
    html,
    links: links.length > 0 ? links : hrefsIn(html),
    headers: new Map(headers.map(({ key, value }) => [key, value])),
    raw,
  }
}

function linksIn(text: string): string[] {
  return text.match(/https?:\/\/[^\s<>"]+/g) ?? []
}

function hrefsIn(html: string): string[] {
  const hrefs = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href)
  return hrefs.map((href) => href.replaceAll("&amp;", "&"))
}
