/** Parses an http(s) URL. Returns undefined for anything else, such as `localhost:3000`. */
export function parseWebUrl(text: unknown): URL | undefined {
  if (typeof text !== "string" || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === "https:" || url.protocol === "http:" ? url : undefined
}
