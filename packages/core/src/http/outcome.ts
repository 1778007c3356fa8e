/** What to answer, before it is a Response. */
import type { JsonValue } from "../types.ts"

/** A page with the headers that protect it. */
interface RenderedPage {
  readonly status: number
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export type Outcome =
  | { readonly kind: "redirect"; readonly to: string }
  | {
      readonly kind: "json"
      readonly status: number
      readonly body: JsonValue | object
      /** What `providers` lists is the same for everybody; nothing else is. */
      readonly cache: "no-store" | "default"
    }
  | { readonly kind: "page"; readonly page: RenderedPage }
  | { readonly kind: "empty"; readonly status: number }

export const redirect = (to: string): Outcome => ({ kind: "redirect", to })

export const json = (body: JsonValue | object, status = 200): Outcome => ({
  kind: "json",
  status,
  body,
  cache: "no-store",
})

/** Adds parameters to a page's URL, which may have a query and a fragment, and may be relative. */
export function withQuery(page: string, parameters: Readonly<Record<string, string>>): string {
  const [address = "", ...fragment] = page.split("#")
  const query = new URLSearchParams(parameters).toString()
  const joint = address.includes("?") ? (/[?&]$/.test(address) ? "" : "&") : "?"
  const full = query === "" ? address : `${address}${joint}${query}`
  return fragment.length > 0 ? `${full}#${fragment.join("#")}` : full
}
