/** API routes and `getServerSideProps`, with the request and response of Node.js. */
import { createServer, type IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createTestBrowser } from "@latchkey/testing"
import { expect, onTestFinished, test } from "vitest"
import { createApplication } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

test("two configurations do not share what they read", async () => {
  const { auth, browser } = createApplication(createConfig(), "http://localhost:4000")
  const other = createApplication(
    createConfig({ secret: "another secret, long enough for the tests" }),
  )
  await browser.signIn("credentials", alice)
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const req = {
    headers: { host: "localhost:4000", cookie },
    url: "/",
  } as unknown as IncomingMessage
  const res = new ServerResponse(req)
  expect(await auth.auth(req, res)).toMatchObject({ user: { name: "alice" } })
  expect(await other.auth.auth(req, res)).toBeNull()
})

test.each(["api", "props"])("reads and renews the session once per request: %s", async (kind) => {
  let reads = 0
  const session = ({ session }: { session: object }) => {
    reads++
    return session
  }
  const config = createConfig({ session: { updateAge: 0 }, callbacks: { session } as never })
  const { auth, browser } = createApplication(config, "http://localhost:4000")
  const server = createServer(async (req, res) => {
    res.setHeader("set-cookie", "foreign=kept")
    // Next.js replaces this method on each response.
    const setHeader = res.setHeader.bind(res)
    res.setHeader = (name, value) => setHeader(name, value)
    const read = () => (kind === "api" ? auth.auth(req, res) : auth.auth({ req, res }))
    await read()
    // Pages of Next.js call this wherever they like.
    res.setHeader("Cache-Control", "public, s-maxage=600")
    res.setHeader("CDN-Cache-Control", ["public", "max-age=600"])
    if (kind === "api") res.writeHead(200, { "Surrogate-Control": "max-age=60" })
    else res.writeHead(200, ["Surrogate-Control", "max-age=60"])
    res.end(JSON.stringify(await read()))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  await browser.signIn("credentials", alice)
  reads = 0

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = createTestBrowser(origin)
  for (const { name, value } of browser.cookies)
    page.cookies.setUnchecked(origin, `${name}=${value}; Path=/`)
  const response = await page.fetch("/")
  expect(await response.json()).toMatchObject({ user: { name: "alice" } })
  expect(reads).toBe(1)
  const names = response.headers.getSetCookie().map((line) => line.split("=")[0])
  expect(names).toEqual(["foreign", "authjs.session-token"])
  expect(response.headers.get("cache-control")).toBe("private, no-store")
  expect(response.headers.get("cdn-cache-control")).toBe("private, no-store")
  expect(response.headers.get("surrogate-control")).toBe("private, no-store")
})
