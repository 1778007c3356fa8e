/** Bodies of requests and responses: streams on Node.js, strings in other runtimes, with the same result for readers. */
import { afterEach, describe, expect, test, vi } from "vitest"
import { createBody as ofNode } from "../../src/runtime/body.node.ts"
import { createBody as elsewhere } from "../../src/runtime/body.web.ts"
import { createPasswordApp, password } from "../support/password-app.ts"

const variants: [string, typeof elsewhere][] = [
  ["Node.js", ofNode],
  ["other runtimes", elsewhere],
]
const texts = ["", "null", '{"name":"Zoë 👩‍🚀"}', "x".repeat(300_000), "a\u0000b"]

describe.each(variants)("the body of a response on %s", (_, toBody) => {
  test.each(texts)("is read as it was written (%#)", async (text) => {
    const response = new Response(toBody(text))
    const copy = response.clone()
    expect(await response.text()).toBe(text)
    expect(response.bodyUsed).toBe(true)
    expect(Buffer.from(await copy.arrayBuffer()).toString()).toBe(text)
    expect(await new Response(toBody(new TextEncoder().encode(text))).text()).toBe(text)
  })

  test("can be read in chunks, as framework packages do", async () => {
    const pieces: Uint8Array[] = []
    for await (const piece of new Response(toBody("sign in")).body ?? []) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe("sign in")
  })
})

describe("with replaced global classes", () => {
  afterEach(() => void vi.unstubAllGlobals())

  /** A `Response` that knows no streams, as some have it. */
  class TextResponse {
    readonly body: string

    constructor(body: unknown) {
      this.body = String(body)
    }
  }

  test("a `Response` that accepts no streams receives the text", () => {
    expect(ofNode("before")).toBeInstanceOf(ReadableStream)
    vi.stubGlobal("Response", TextResponse)
    expect(ofNode("text")).toBe("text")
    vi.unstubAllGlobals()
    expect(ofNode("after")).toBeInstanceOf(ReadableStream)
  })

  test("a `ReadableStream` that no `Response` accepts is not used", () => {
    vi.stubGlobal("ReadableStream", class {})
    expect(ofNode("text")).toBe("text")
  })
})

test.each(["session", "csrf", "providers", "signin", "signout", "error", "verify-request"])(
  "the response of %s has a content type",
  async (action) => {
    const browser = createPasswordApp().openBrowser()
    await browser.signIn("credentials", { name: "ada", password })
    const response = await browser.open(`/auth/${action}`)
    expect(response.headers.get("content-type")).toMatch(/^(?:text\/html|application\/json)/)
    expect(await response.text()).not.toBe("")
  },
)

test.each(["POST", "PUT"])("a refused %s has a content type", async (method) => {
  const response = await createPasswordApp().handle(
    new Request("https://app.example/auth/session", { method }),
  )
  expect(response.status).toBe(400)
  expect(response.headers.get("content-type")).toBe("application/json")
})
