/** The languages that a browser asks for. */

/** The maximum number of entries that are read: browsers send a few. */
const maxRanges = 32
const rangePattern =
  /^([a-z]{1,8}(?:-[a-z\d]{1,8})*)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * Parses the header `Accept-Language` (RFC 9110 section 12.5.4). Returns the preferred language ranges, best
 * first. Malformed entries are skipped, and so is `*`, which expresses no preference.
 */
export function parseAcceptLanguage(header: string | null): string[] {
  const entries = (header ?? "").split(",", maxRanges).flatMap((entry) => {
    const [, range, quality = "1"] = rangePattern.exec(entry.trim()) ?? []
    return range !== undefined && Number(quality) > 0 ? [{ range, quality: Number(quality) }] : []
  })
  return entries.sort((a, b) => b.quality - a.quality).map(({ range }) => range)
}
