/** Reads headers as they were sent. Node's own object drops some repeated headers. */
import type { RequestHeaders } from "@latchkey/core/integration"

/** The headers of a request, as `Headers` has them. */
export class RawHeaders implements RequestHeaders {
  readonly #rawHeaders: readonly string[]

  /** @param rawHeaders names and values in turn, as Node has them */
  constructor(rawHeaders: readonly string[]) {
    this.#rawHeaders = rawHeaders
  }

  get(name: string): string | null {
    const values = this.#getValues(name.toLowerCase())
    if (values.length === 0) return null
    return values.join(name.toLowerCase() === "cookie" ? "; " : ", ")
  }

  #getValues(lowerCaseName: string): readonly string[] {
    const rawHeaders = this.#rawHeaders
    const values: string[] = []
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.toLowerCase() === lowerCaseName) values.push(rawHeaders[at + 1] ?? "")
    }
    return values
  }

  *[Symbol.iterator](): Generator<[name: string, value: string]> {
    const rawHeaders = this.#rawHeaders
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? ""
      // Node lists the pseudo-headers of HTTP/2, which a `Headers` refuses.
      if (!name.startsWith(":")) yield [name, rawHeaders[at + 1] ?? ""]
    }
  }
}
