/** Two websites with the same passkeys, by https, in Chromium, which asks the first one whether the other may. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createAuth, type LatchkeyAuth } from "@latchkey/core"
import passkey from "@latchkey/core/passkeys"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { launchChromium } from "../../../../scripts/test-setup/launch-chromium.ts"
import { addVirtualAuthenticator } from "../../../../scripts/test-setup/virtual-authenticator.ts"
import { toRequest } from "../support/chromium.ts"
import { testSiteSecret } from "../support/test-site.ts"

const database = openSqlite(":memory:")
const server = createServer(createCertificate(), async (incoming, outgoing) => {
  const request = await toRequest(incoming, `https://${incoming.headers.host}`)
  const { pathname } = new URL(request.url)
  if (pathname === "/.well-known/webauthn") askedHosts.push(incoming.headers.host)
  const response = await respond(pathname, request)
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value)
  outgoing.writeHead(response.status).end(await response.text())
})
let auth: LatchkeyAuth
let browser: Browser
let askedHosts: (string | undefined)[]
let isListed: boolean

beforeAll(async () => {
  await migrate(database)
  auth = createAuth({
    adapter: SqlAdapter(database),
    providers: [
      passkey({
        relayingParty: { id: "shop.example", name: "Shop", origin: "https://shop.example" },
        relatedOrigins: ["https://shop.test"],
        // The virtual authenticator would sign in at once where passkeys are offered at a field.
        enableConditionalUI: false,
      }),
    ],
    secret: testSiteSecret,
    trustHost: true,
    logger: { error() {}, warn() {}, debug() {} },
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await launchChromium(false, [
    "--ignore-certificate-errors",
    `--host-resolver-rules=MAP shop.example ${address}, MAP shop.test ${address}`,
  ])
})

afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
  database.close()
})

beforeEach(() => {
  askedHosts = []
  isListed = true
})

test("a passkey of one website signs in on the other", async () => {
  const page = await openPageWithDevice()
  await register(page)
  expect(askedHosts).toEqual([])
  await signIn(page, "https://shop.test")
  await page.waitForURL("https://shop.test/")
  expect(await readName(page)).toBe("Ada")
  expect(askedHosts).toEqual(["shop.example"])
})

test("a website that the first one does not list gets nothing from the browser", async () => {
  isListed = false
  const page = await openPageWithDevice()
  await register(page)
  await signIn(page, "https://shop.test")
  await page.locator("[role=alert]:visible").waitFor()
  expect(await readName(page)).toBeUndefined()
  expect(askedHosts).toEqual(["shop.example"])
})

/** Creates a certificate that no browser trusts. */
function createCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-certificate-"))
  const subject = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=shop.example"]
  const files = ["-keyout", "key.pem", "-out", "certificate.pem"]
  execFileSync("openssl", ["req", "-x509", ...subject, ...files], { cwd: folder, stdio: "ignore" })
  const [key, cert] = ["key.pem", "certificate.pem"].map((name) => readFileSync(join(folder, name)))
  rmSync(folder, { recursive: true })
  if (!key || !cert) throw new Error("openssl wrote nothing")
  return { key, cert }
}

async function respond(pathname: string, request: Request): Promise<Response> {
  if (pathname.startsWith("/auth/")) return auth.handle(request)
  if (pathname !== "/.well-known/webauthn")
    return new Response("A page", { headers: { "content-type": "text/html" } })
  return Response.json(isListed ? await auth.passkeys.getRelatedOrigins() : { origins: [] })
}

async function openPageWithDevice(): Promise<Page> {
  const context = await browser.newContext()
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  await addVirtualAuthenticator(page)
  return page
}

async function register(page: Page): Promise<void> {
  await page.goto("https://shop.example/auth/signin")
  await page.getByText("Create a passkey").first().click()
  const form = page.locator(".registration form")
  for (const input of await form.locator("[data-form-field]").all()) await input.fill("Ada")
  await form.locator("button").click()
  await page.waitForURL("https://shop.example/")
}

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/auth/signin?callbackUrl=/`)
  await page.getByRole("button", { name: "Sign in with a passkey" }).click()
}

async function readName(page: Page): Promise<unknown> {
  const session = await page.evaluate(async () => (await fetch("/auth/session")).json())
  return session?.user?.name
}
