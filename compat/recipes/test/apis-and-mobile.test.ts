/** The guide for APIs and mobile clients: a native app, and another service. */
import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { DatabaseSync } from "node:sqlite"
import { type AuthConfig, defineConfig } from "@latchkey/core"
import { MiddlewareAuth } from "@latchkey/express"
import { createTestBrowser } from "@latchkey/testing"
import express, { type Express } from "express"
import { expect, onTestFinished, test, vi } from "vitest"
import { installGuide, listen, stubEnvironment } from "./support/guide.ts"
import { startKeycloak } from "./support/keycloak.ts"

async function openGuide() {
  const { provider, environment } = await startKeycloak()
  onTestFinished(() => provider.close())
  stubEnvironment(environment)
  return { importFile: installGuide("apis-and-mobile"), provider }
}

const createVerifier = () => randomBytes(32).toString("base64url")
const createChallenge = (verifier: string) =>
  createHash("sha256").update(verifier).digest("base64url")

test("an app signs in in the system browser, uses its token, and signs out", async () => {
  const { importFile, provider } = await openGuide()
  const { database } = await importFile<{ database: DatabaseSync }>("database.ts")
  const { app } = await importFile<{ app: Express }>("app.ts")
  const url = await listen(app)
  const browser = createTestBrowser(url)

  /** Signs in or continues in the system browser, and returns the code that the app receives. */
  async function authorize(verifier: string): Promise<string> {
    const query = new URLSearchParams({ code_challenge: createChallenge(verifier), state: "xyz" })
    const path = `/app/authorize?${query}`
    const page = await browser.open(path)
    if (page.status === 302) {
      const signInPage = new URL(page.headers.get("location") ?? "", url)
      const callbackUrl = signInPage.searchParams.get("callbackUrl") ?? ""
      const signInUrl = await browser.startSignIn(provider, { callbackUrl })
      const response = await browser.open(provider.approve(signInUrl))
      expect(response.headers.get("location")).toBe(url + path)
    }
    const link = new URL((await browser.post(path)).headers.get("location") ?? "")
    expect(link.origin + link.pathname).toBe("https://example.com/app/signed-in")
    expect(link.searchParams.get("state")).toBe("xyz")
    return link.searchParams.get("code") ?? ""
  }
  const exchange = (code: string, verifier: string) =>
    fetch(`${url}/app/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code, code_verifier: verifier }),
    })
  const getProfile = (token: string) =>
    fetch(`${url}/api/profile`, { headers: { authorization: `Bearer ${token}` } })

  const verifier = createVerifier()
  const code = await authorize(verifier)
  const response = await exchange(code, verifier)
  expect(response.headers.get("cache-control")).toBe("no-store")
  const { access_token: token } = await response.json()
  const { id } = await (await getProfile(token)).json()
  expect(id).toBe((await browser.getSession())?.user?.id)
  expect(await (await browser.open("/api/profile")).json()).toEqual({ id })
  expect((await exchange(code, verifier)).status).toBe(400)
  expect((await getProfile("0".repeat(64))).status).toBe(401)
  expect((await fetch(`${url}/api/profile`)).status).toBe(401)

  const stolenCode = await authorize(verifier)
  expect((await exchange(stolenCode, createVerifier())).status).toBe(400)
  expect((await exchange(stolenCode, verifier)).status).toBe(400)
  const lateCode = await authorize(verifier)
  database.exec("update app_code set expires = 0")
  expect((await exchange(lateCode, verifier)).status).toBe(400)
  expect((await browser.post("/app/authorize?code_challenge=short&state=x")).status).toBe(400)
  const query = `code_challenge=${createChallenge(verifier)}&state=x`
  const forged = await browser.post(`/app/authorize?${query}`, {}, { from: "https://evil.example" })
  expect(forged.status).toBe(400)

  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${url}/api/token`, { method: "DELETE", headers })
  expect((await getProfile(token)).status).toBe(401)
  expect(await browser.getSession()).not.toBeNull()
})

test("a user creates a token for a script, which works until it expires", async () => {
  const { importFile, provider } = await openGuide()
  const { app } = await importFile<{ app: Express }>("app.ts")
  const { database } = await importFile<{ database: DatabaseSync }>("database.ts")
  const url = await listen(app)
  const browser = createTestBrowser(url)
  const getStatus = async (authorization: string) =>
    (await fetch(`${url}/api/profile`, { headers: { authorization } })).status

  expect((await browser.post("/api/tokens")).status).toBe(401)
  await browser.signIn(provider)
  const forged = await browser.post("/api/tokens", {}, { from: "https://evil.example" })
  expect(forged.status).toBe(401)
  const response = await browser.post("/api/tokens")
  expect(response.headers.get("cache-control")).toBe("no-store")
  const { token } = await response.json()
  expect(await getStatus(`Bearer ${token}`)).toBe(200)
  expect(await getStatus(`bearer ${token}`)).toBe(200)
  expect(await getStatus(`Bearer ${token}0`)).toBe(401)
  expect(await getStatus(`Basic ${token}`)).toBe(401)

  database.exec('update "Session" set expires = 0')
  expect(await getStatus(`Bearer ${token}`)).toBe(401)
})

test("another service opens the session cookie, or asks the application", async () => {
  const { importFile, provider } = await openGuide()
  const config: AuthConfig = defineConfig({ providers: [provider.asOidc()] })
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  const url = await listen(app)
  const { service } = await importFile<{ service: Server }>("service.ts")
  service.listen(0, "127.0.0.1")
  onTestFinished(() => void service.close().closeAllConnections())
  await once(service, "listening")
  const { port } = service.address() as AddressInfo
  vi.stubEnv("AUTH_URL", url)
  const { askForSession } = await importFile<{
    askForSession(cookie: string): Promise<{ user?: { name?: string } } | null>
  }>("ask.ts")

  const browser = createTestBrowser(url)
  await browser.signIn(provider)
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const askService = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, { headers })
  expect(await (await askService({ cookie })).json()).toEqual({ user: expect.any(String) })
  expect((await askService({})).status).toBe(401)
  expect((await askService({ cookie: "authjs.session-token=forged" })).status).toBe(401)
  expect((await askForSession(cookie))?.user?.name).toBe("Ada Lovelace")
  expect(await askForSession("")).toBeNull()
})
