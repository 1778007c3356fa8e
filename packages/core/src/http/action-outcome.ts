/** The outcome of an action, before it becomes a response. */
import type { JsonValue } from "../types.ts"

/** A page with all of its headers, among them those that protect it. */
export interface PageOutcome {
  readonly kind: "page"
  readonly status: number
  readonly html: string
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export type ActionOutcome =
  /** With status 303, the same action continues at `to`, so this response sets only its own cookies. */
  | { readonly kind: "redirect"; readonly to: string; readonly status?: 303 | undefined }
  | {
      readonly kind: "json"
      readonly status: number
      readonly body: JsonValue | object
      /** Only the list of providers is the same for everyone, and may be cached. */
      readonly cache: "no-store" | "default"
    }
  | PageOutcome
  | { readonly kind: "empty"; readonly status: number }

/** Redirects to a page. Parameters are added to its query. */
export function redirectOutcome(page: string, parameters?: Record<string, string>): ActionOutcome {
  return { kind: "redirect", to: parameters ? appendQuery(page, parameters) : page }
}

export const jsonOutcome = (body: JsonValue | object, status = 200): ActionOutcome => ({
  kind: "json",
  status,
  body,
  cache: "no-store",
})

/** Adds parameters to the URL of a page, which may be relative and have a query and a fragment. */
function appendQuery(page: string, parameters: Readonly<Record<string, string>>): string {
  const [address = "", ...fragment] = page.split("#")
  const query = new URLSearchParams(parameters).toString()
  const separator = address.includes("?") ? (/[?&]$/.test(address) ? "" : "&") : "?"
  return [query === "" ? address : address + separator + query, ...fragment].join("#")
}
