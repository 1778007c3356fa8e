/** A provider that cannot send logout tokens loads a URL in a frame (OpenID Connect Front-Channel Logout 1.0). */
import type { AuthConfig } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createLogoutApp, logoutOrigin, logoutPath } from "../support/logout-app.ts"
import { createOAuthApp } from "../support/oauth-app.ts"

const issuer = "https://idp.example"
const records = { pollInterval: 0 }

const createFrameApp = (config: Partial<AuthConfig> = {}) =>
  createLogoutApp(
    { ...config, session: { records, ...config.session } },
    { frontChannelLogout: true },
  )

/** Loads the URL as a frame of another site does: without cookies. */
const loadFrame = (
  app: { app: (request: Request) => Response | Promise<Response> },
  query: string | Record<string, string> | string[][],
) => {
  const url = `${logoutOrigin}${logoutPath}?${new URLSearchParams(query)}`
  return app.app(new Request(url, { headers: { accept: "text/html", "sec-fetch-dest": "iframe" } }))
}

describe.each(["jwt", "database"] as const)("a frame, with strategy %s,", (strategy) => {
  test("ends the sessions of a session at the provider, without cookies", async () => {
    const app = await createFrameApp({ session: { strategy, records } })
    const ada = await app.signIn("s1")
    const other = await app.signIn("s2")
    const response = await loadFrame(app, { iss: issuer, sid: "s1" })
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await ada.getSession()).toBeNull()
    expect(await other.getSession()).not.toBeNull()
  })
})

describe("a frame", () => {
  test("is shown by the provider only, and stored by nobody", async () => {
    const app = await createFrameApp()
    const { headers } = await loadFrame(app, { iss: issuer, sid: "s1" })
    expect(headers.get("cache-control")).toContain("no-store")
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors https://idp.example",
    )
    expect(headers.get("x-frame-options")).toBeNull()
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })

  test.each<[string, Record<string, string> | string[][]]>([
    ["no sid", { iss: issuer }],
    ["an empty sid", { iss: issuer, sid: "" }],
    ["a sid that is too long", { iss: issuer, sid: "x".repeat(256) }],
    [
      "two sids",
      [
        ["iss", issuer],
        ["sid", "s1"],
        ["sid", "s2"],
      ],
    ],
    ["no iss", { sid: "s1" }],
    ["another iss", { iss: "https://evil.example", sid: "s1" }],
    ["an iss with a slash at the end", { iss: `${issuer}/`, sid: "s1" }],
    ["an unknown sid and a known sub", { iss: issuer, sid: "s3", sub: "ada" }],
  ])("ends nothing with %s", async (_, query) => {
    const app = await createFrameApp()
    await app.signIn("s1")
    await app.signIn("s2")
    const response = await loadFrame(app, query)
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(await app.countSessions()).toBe(2)
  })

  test("is loaded again after an outage", async () => {
    const app = await createFrameApp()
    await app.signIn("s1")
    const adapter = Object(app.config.adapter)
    const { findSessionRecords } = adapter
    adapter.findSessionRecords = () => Promise.reject(new Error("the database is gone"))
    expect((await loadFrame(app, { iss: issuer, sid: "s1" })).status).toBe(503)
    adapter.findSessionRecords = findSessionRecords
    expect((await loadFrame(app, { iss: issuer, sid: "s1" })).status).toBe(200)
    expect(await app.countSessions()).toBe(0)
  })

  test("is unknown unless the definition of the provider allows it", async () => {
    const app = await createLogoutApp()
    await app.signIn("s1")
    expect((await loadFrame(app, { iss: issuer, sid: "s1" })).status).toBe(404)
    expect(await app.countSessions()).toBe(1)
    expect(app.readLog()).toContain("frontChannelLogout")
  })

  test("is unknown without records of sessions", async () => {
    const provider = await createScriptedProvider({ user: { sub: "ada", sid: "s1" } })
    const app = await createOAuthApp(provider.asOidc({ frontChannelLogout: true }))
    const ada = createTestBrowser(app.app)
    await ada.signIn(provider)
    expect((await loadFrame(app, { iss: issuer, sid: "s1" })).status).toBe(404)
    expect(await ada.getSession()).not.toBeNull()
  })
})
