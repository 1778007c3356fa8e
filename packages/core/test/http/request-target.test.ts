/** Caches of parsed URLs never mix entries up. */
import { createAuth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { expect, test } from "vitest"

const auth = createAuth({
  providers: [credentials({ authorize: () => null })],
  secret: "a secret of the application, long enough: 1",
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
})

/** Returns the callback URL in the cookie of a response. */
async function readCallbackUrlCookie(origin: string, url?: URL): Promise<string> {
  const response = await auth.handle(new Request(`${origin}/auth/csrf`), { url })
  expect(response.status).toBe(200)
  const line = response.headers.getSetCookie().find((each) => each.includes("callback-url"))
  return decodeURIComponent(line?.split(";", 1).join() ?? "")
}

test("each of more hosts than are cached has its own cookies, every time", async () => {
  for (let index = 0; index < 140; index++) {
    const host = `tenant-${index % 70}.example`
    expect(await readCallbackUrlCookie(`https://${host}`)).toBe(
      `__Secure-authjs.callback-url=https://${host}`,
    )
    expect(await readCallbackUrlCookie(`http://${host}`)).toBe(`authjs.callback-url=http://${host}`)
  }
})

test("a query is used, even if the same URL was requested without one before", async () => {
  const origin = "https://app.example"
  expect(await readCallbackUrlCookie(origin)).toBe(`__Secure-authjs.callback-url=${origin}`)
  const asked = new URL(`${origin}/auth/csrf?callbackUrl=/welcome`)
  expect(await readCallbackUrlCookie(origin, asked)).toBe(
    `__Secure-authjs.callback-url=${origin}/welcome`,
  )
  expect(await readCallbackUrlCookie(origin)).toBe(`__Secure-authjs.callback-url=${origin}`)
})

test("a URL that the caller changes during the request has no effect", async () => {
  const url = new URL("https://app.example/auth/csrf")
  const answering = readCallbackUrlCookie("http://internal.example", url)
  url.host = "other.example"
  url.protocol = "http:"
  expect(await answering).toBe("__Secure-authjs.callback-url=https://app.example")
})
