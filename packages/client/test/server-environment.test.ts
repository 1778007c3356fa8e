/** The client outside of a browser: importing it does nothing, and using it reports what is missing. */
import { execFileSync } from "node:child_process"
import { type Client, createClient, getSession, onSessionChange, signIn } from "@latchkey/client"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createTestSite,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../../core/test/support/test-site.ts"

describe("on a server", () => {
  test.each<[string, () => unknown]>([
    ["getSession", () => getSession()],
    ["signIn", () => signIn("credentials", { redirect: false, ...validCredentials })],
    ["onSessionChange", () => onSessionChange(() => {})],
  ])("%s reports that there is no page", async (_, use) => {
    await expect(async () => use()).rejects.toThrow(/There is no page here/)
  })

  test("navigation is impossible", async () => {
    const { app } = await createTestSite()
    const testBrowser = createTestBrowser(app)
    const page = createClient({
      origin: siteOrigin,
      fetch: (url, init) => testBrowser.fetch(url, summarizeRequest(init)),
    })
    await expect(page.signIn(undefined, { redirectTo: "/inbox" })).rejects.toThrow(
      /There is no page here/,
    )
  })

  test("creating clients has no side effects, and leaves nothing open", () => {
    const script = `
      const seen = []
      const names = ["window", "document", "location", "sessionStorage", "fetch", "BroadcastChannel"]
      for (const name of names) {
        Object.defineProperty(globalThis, name, { configurable: true, get: () => void seen.push(name) })
      }
      const client = await import("@latchkey/client")
      client.createClient({ basePath: "/api/auth", pollInterval: 5 })
      console.log(JSON.stringify({ seen, state: client.sessionState() }))
    `
    const args = ["--conditions=@latchkey/source", "--input-type=module", "--eval", script]
    const output = execFileSync(process.execPath, args, {
      cwd: import.meta.dirname,
      encoding: "utf8",
    })
    expect(JSON.parse(output)).toEqual({ seen: [], state: { kind: "unknown" } })
  })
})

describe("the base path", () => {
  test.each([
    ["/api/auth", "/api/auth/session"],
    ["/api/auth/", "/api/auth/session"],
    ["api/auth", "/api/auth/session"],
    ["//evil.example/auth", "/evil.example/auth/session"],
    ["/", "/session"],
    [undefined, "/auth/session"],
  ])("%s becomes %s", async (basePath, path) => {
    const received: string[] = []
    const page = createClient({
      ...(basePath === undefined ? {} : { basePath }),
      fetch: async (url) => {
        received.push(url)
        return Response.json(null)
      },
    })
    expect([await page.getSession(), received]).toEqual([null, [path]])
  })

  test("is that of the server, and is set in one place", async () => {
    const { config } = await createTestSite({ basePath: "/api/auth" })
    const testBrowser = createTestBrowser((request) =>
      sendRequest(config, request.url, request as RequestInit),
    )
    const page: Client = createClient({
      basePath: "/api/auth",
      origin: siteOrigin,
      fetch: (url, init) => testBrowser.fetch(url, summarizeRequest(init)),
    })
    expect(page.basePath).toBe("/api/auth")
    expect(Object.keys(await page.getProviders())).toContain("credentials")
  })
})

const summarizeRequest = ({ method = "GET" }: RequestInit) => ({ method })
