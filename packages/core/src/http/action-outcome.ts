/** What to answer, before it is a Response. */
import type { JsonValue } from "../types.ts"

/** A page with the headers that protect it. */
interface RenderedPage {
  readonly status: number
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

export type ActionOutcome =
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

export const redirectOutcome = (to: string): ActionOutcome => ({ kind: "redirect", to })

export const jsonOutcome = (body: JsonValue | object, status = 200): ActionOutcome => ({
  kind: "json",
  status,
  body,
  cache: "no-store",
})

/** Adds parameters to a page's URL, which may have a query and a fragment, and may be relative. */
export function appendQuery(page: string, parameters: Readonly<Record<string, string>>): string {
  const [address = "", ...fragment] = page.split("#")
  const query = new URLSearchParams(parameters).toString()
  const separator = address.includes("?") ? (/[?&]$/.test(address) ? "" : "&") : "?"
  const withParameters = query === "" ? address : `${address}${separator}${query}`
  return fragment.length > 0 ? `${withParameters}#${fragment.join("#")}` : withParameters
}
