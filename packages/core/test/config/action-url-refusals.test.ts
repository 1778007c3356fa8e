/** `createActionURL` refuses invalid hosts and protocols. */
import { createActionURL } from "@latchkey/core"
import { describe, expect, test } from "vitest"

/** Builds the URL of the session from the headers of a request. */
function buildActionUrl({ headers = {}, protocol = "https" }): string {
  const config = { basePath: "/auth" }
  return createActionURL("session", protocol, new Headers(headers), {}, config).href
}

const hostHeader = { host: "example.com" }

describe("an invalid host", () => {
  const hosts = [
    "app.example/path",
    "app.example?query",
    "app.example#fragment",
    "user@app.example",
    "user:word@app.example",
    "app.example\\evil.example",
    "https://app.example",
    "app.example:99999",
    "app.example:port",
    "app example",
    "[::::]",
    "[app.example]",
    "1.2.3.4.5",
    "-app.example",
    "%61pp.example",
    "..",
    "a".repeat(300),
  ]

  test.each(hosts)("in a forwarded header is refused: %s", (forwarded) => {
    const headers = { ...hostHeader, "x-forwarded-host": `${forwarded}, app.example` }
    expect(() => buildActionUrl({ headers })).toThrow(
      expect.objectContaining({
        name: "TypeError",
        message: expect.stringContaining("X-Forwarded-Host"),
      }),
    )
  })

  test.each([...hosts, "", "app.example, evil.example"])(
    "in the request is refused: %s",
    (value) => {
      expect(() => buildActionUrl({ headers: { host: value } })).toThrow(
        expect.objectContaining({
          name: "TypeError",
          message: expect.stringContaining("Host header"),
        }),
      )
    },
  )

  test("is reported if the request has no host", () => {
    expect(() => buildActionUrl({})).toThrow(/Host header/)
  })
})

describe("a protocol other than http and https", () => {
  test.each(["ftp", "javascript", "https://evil.example/?", "ws", "file:", "https evil"])(
    "in a forwarded header is refused: %s",
    (forwarded) => {
      const headers = { ...hostHeader, "x-forwarded-proto": forwarded }
      expect(() => buildActionUrl({ headers })).toThrow(/X-Forwarded-Proto/)
    },
  )

  test.each(["ftp", "javascript:", "https://evil.example/?"])(
    "of the request is refused: %s",
    (protocol) => {
      expect(() => buildActionUrl({ headers: hostHeader, protocol })).toThrow(/protocol/)
    },
  )
})
