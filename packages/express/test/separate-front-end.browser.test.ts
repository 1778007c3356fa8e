/** A front end on its own port, in Chromium: sign-in, session and sign-out through `trustedOrigins`. */

import { readFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import type { CookieOptions } from "@latchkey/core/types"
import type { MiddlewareAuthConfig } from "@latchkey/express"
import { createScriptedProvider, type ScriptedProvider } from "@latchkey/testing"
import { build } from "esbuild"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { launchChromium } from "../../../scripts/test-setup/launch-chromium.ts"
import { createApi } from "./separate-front-end/api.ts"
import { createConfig, password } from "./support/config.ts"

const folder = join(import.meta.dirname, "separate-front-end")

let browser: Browser
let provider: ScriptedProvider
let script: string
let site: Awaited<ReturnType<typeof createSite>>
let context: BrowserContext
let page: Page
const servers: Server[] = []

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, "page.ts")],
    bundle: true,
    write: false,
    format: "esm",
    conditions: ["@latchkey/source"],
  })
  return outputFiles[0]?.text ?? ""
}

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

/** Serves the page and its script, which sends its requests to the API. Returns the port. */
async function serveFrontEnd(getApi: () => string): Promise<number> {
  const html = await readFile(join(folder, "index.html"))
  const server = createServer(({ url }, response) => {
    if (url !== "/page.js") return response.setHeader("content-type", "text/html").end(html)
    response.setHeader("content-type", "text/javascript")
    return response.end(script.replaceAll("http://localhost:3000", getApi()))
  })
  return listen(server)
}

/** Serves an API and its front end, at different hosts if they are to be different sites. */
async function createSite(changes: Partial<MiddlewareAuthConfig> = {}, host = "localhost") {
  const frontEnd: string = `http://${host}:${await serveFrontEnd(() => api)}`
  const { providers, ...config } = createConfig(changes)
  const allProviders = [provider.asOidc(), ...providers]
  const app = createApi({ ...config, providers: allProviders, frontEnd })
  const api: string = `http://localhost:${await listen(createServer(app))}`
  return { api, frontEnd }
}

beforeAll(async () => {
  browser = await launchChromium()
  provider = await createScriptedProvider()
  await provider.listen()
  provider.setUser({ sub: "ada", name: "Ada Lovelace" })
  script = await bundlePage()
  site = await createSite()
})

afterAll(async () => {
  await browser.close()
  await provider.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

beforeEach(async () => {
  context = await browser.newContext()
  context.setDefaultTimeout(10_000)
  page = await context.newPage()
})

afterEach(() => context.close())

async function openFrontEnd(origin = site.frontEnd): Promise<void> {
  await page.goto(`${origin}/notes`)
}

const waitForText = (id: string, text: string) =>
  page.locator(`#${id}`).getByText(text, { exact: true }).waitFor()

async function submitPassword(text: string): Promise<void> {
  await page.getByLabel("User").fill("alice")
  await page.getByLabel("Password").fill(text)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

describe("a page of a trusted origin", () => {
  test("signs in with a password, reads the session and signs out", async () => {
    await openFrontEnd()
    await waitForText("session", "signed-out")
    await waitForText("greeting", "Please sign in")
    await submitPassword(password)
    await waitForText("result", "signed-in")
    await waitForText("greeting", "Hello alice")
    await page.getByRole("button", { name: "Sign out" }).click()
    await waitForText("session", "signed-out")
    expect(page.url()).toBe(`${site.frontEnd}/notes`)
  })

  test("learns why a password is refused", async () => {
    await openFrontEnd()
    await submitPassword("wrong")
    await waitForText("result", "credentials")
  })

  test("gets the browser back after a sign-in at a provider", async () => {
    await openFrontEnd()
    await page.getByRole("button", { name: "Sign in with the provider" }).click()
    await waitForText("greeting", "Hello Ada Lovelace")
    expect(page.url()).toBe(`${site.frontEnd}/notes`)
  })

  test("gets the browser back after a sign-in on the page of the API", async () => {
    await openFrontEnd()
    await page.getByRole("button", { name: "Choose how to sign in" }).click()
    await page.waitForURL(`${site.api}/auth/signin?*`)
    await page.getByLabel("user").fill("bob")
    await page.getByLabel("password").fill(password)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await waitForText("greeting", "Hello bob")
    expect(page.url()).toBe(`${site.frontEnd}/notes`)
  })
})

describe("a page of another origin", () => {
  test("cannot read the session, nor sign in", async () => {
    await openFrontEnd()
    await submitPassword(password)
    await waitForText("result", "signed-in")
    await openFrontEnd(`http://localhost:${await serveFrontEnd(() => site.api)}`)
    // The browser does not let the script read any response.
    await waitForText("session", "offline")
    await submitPassword(password)
    await waitForText("result", "offline")
    await openFrontEnd()
    await waitForText("greeting", "Hello alice")
  })
})

describe("a page of a trusted origin on another site", () => {
  const createForeignSite = (options: CookieOptions) => {
    const cookie = { options }
    const cookies = { sessionToken: cookie, csrfToken: cookie, signedOut: cookie }
    // On loopback addresses, browsers accept such cookies without https.
    return createSite({ useSecureCookies: true, cookies }, "127.0.0.1")
  }

  test("signs in with a password and signs out if the cookies are partitioned", async () => {
    const { frontEnd } = await createForeignSite({ sameSite: "none", partitioned: true })
    await openFrontEnd(frontEnd)
    await submitPassword(password)
    await waitForText("greeting", "Hello alice")
    await page.getByRole("button", { name: "Sign out" }).click()
    await waitForText("session", "signed-out")
  })

  test("is not signed in with the default cookies", async () => {
    const { frontEnd } = await createForeignSite({})
    await openFrontEnd(frontEnd)
    await submitPassword(password)
    await waitForText("result", "refused")
    await waitForText("session", "signed-out")
  })
})
