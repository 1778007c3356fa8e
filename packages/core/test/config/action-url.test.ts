/** `createActionURL`: the URL of an action from headers or from the environment. */
import { createActionURL } from "@latchkey/core"
import type { AuthAction } from "@latchkey/core/types"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createMemoryLog } from "../support/memory-log.ts"

interface ActionUrlInput {
  action?: AuthAction
  protocol?: string
  withoutProtocol?: boolean
  headers?: Record<string, string>
  env?: Record<string, string | undefined>
  basePath?: string
  trustHost?: boolean
}

/** Returns the URL and the warnings. */
function buildActionUrl(input: ActionUrlInput): { url: string; warnings: string[] } {
  const { action = "session", protocol = "https", headers = {}, env = {} } = input
  const { basePath, trustHost } = input
  const log = createMemoryLog()
  const config = { basePath, trustHost, logger: log.logger }
  const url = createActionURL(
    action,
    input.withoutProtocol ? undefined : protocol,
    new Headers(headers),
    env,
    config,
  )
  return { url: url.href, warnings: log.warningCodes }
}

const hostHeader = { host: "example.com" }

describe("from the headers of a request", () => {
  test.each<[string, ActionUrlInput, string]>([
    [
      "no protocol is https",
      { headers: hostHeader, protocol: "", basePath: "/basepath", action: "callback" },
      "https://example.com/basepath/callback",
    ],
    [
      "an undefined protocol is https",
      { headers: hostHeader, basePath: "/auth", withoutProtocol: true },
      "https://example.com/auth/session",
    ],
    [
      "the protocol of the request",
      { headers: hostHeader, protocol: "http", basePath: "/auth" },
      "http://example.com/auth/session",
    ],
    [
      "the protocol with its colon",
      { headers: hostHeader, protocol: "http:", basePath: "/auth" },
      "http://example.com/auth/session",
    ],
    [
      "a port",
      { headers: { host: "example.com:8080" }, basePath: "/auth" },
      "https://example.com:8080/auth/session",
    ],
    [
      "an IPv6 address",
      { headers: { host: "[::1]:3000" }, protocol: "http", basePath: "/auth" },
      "http://[::1]:3000/auth/session",
    ],
    [
      "the forwarded host and protocol",
      {
        headers: {
          ...hostHeader,
          "x-forwarded-host": "front.example",
          "x-forwarded-proto": "http",
        },
        basePath: "/auth",
      },
      "http://front.example/auth/session",
    ],
    [
      "uses the first of several forwarded values",
      {
        headers: {
          ...hostHeader,
          "x-forwarded-host": "front.example, middle.example , back.example",
          "x-forwarded-proto": "http, https",
        },
        basePath: "/auth",
      },
      "http://front.example/auth/session",
    ],
    [
      "accepts a forwarded protocol with a colon, in any case",
      { headers: { ...hostHeader, "x-forwarded-proto": "HTTP:" }, basePath: "/auth" },
      "http://example.com/auth/session",
    ],
    [
      "ignores forwarded headers if the host is not trusted",
      {
        headers: { ...hostHeader, "x-forwarded-host": "evil.example", "x-forwarded-proto": "http" },
        trustHost: false,
        basePath: "/auth",
      },
      "https://example.com/auth/session",
    ],
    [
      "ignores empty forwarded headers",
      {
        headers: { ...hostHeader, "x-forwarded-host": "", "x-forwarded-proto": " , " },
        basePath: "/",
      },
      "https://example.com/session",
    ],
    [
      "accepts the base path /",
      { headers: hostHeader, basePath: "/" },
      "https://example.com/session",
    ],
    ["accepts no base path", { headers: hostHeader }, "https://example.com/session"],
    [
      "accepts a nested base path with slashes around it",
      { headers: hostHeader, basePath: "/api/auth/", action: "verify-request" },
      "https://example.com/api/auth/verify-request",
    ],
    [
      "accepts a base path without slashes",
      { headers: hostHeader, basePath: "api/auth", action: "signin" },
      "https://example.com/api/auth/signin",
    ],
  ])("%s", (_, situation, expected) => {
    expect(buildActionUrl(situation)).toEqual({ url: expected, warnings: [] })
  })
})

describe("from the environment", () => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example" }

  test.each<[string, ActionUrlInput, string]>([
    [
      "prefers AUTH_URL to all headers",
      {
        headers,
        env: { AUTH_URL: "http://localhost:3000" },
        basePath: "/api/auth",
        action: "signout",
      },
      "http://localhost:3000/api/auth/signout",
    ],
    [
      "uses NEXTAUTH_URL if AUTH_URL is not set",
      { headers, env: { NEXTAUTH_URL: "https://app.example" }, basePath: "/auth" },
      "https://app.example/auth/session",
    ],
    [
      "prefers AUTH_URL to NEXTAUTH_URL",
      {
        headers,
        env: { AUTH_URL: "https://app.example", NEXTAUTH_URL: "https://old.example" },
        basePath: "/auth",
      },
      "https://app.example/auth/session",
    ],
    [
      "uses NEXTAUTH_URL if AUTH_URL is empty",
      { headers, env: { AUTH_URL: "", NEXTAUTH_URL: "https://app.example" }, basePath: "/auth" },
      "https://app.example/auth/session",
    ],
    [
      "an empty AUTH_URL is ignored",
      { headers: hostHeader, env: { AUTH_URL: "" }, basePath: "/auth" },
      "https://example.com/auth/session",
    ],
    [
      "a path is kept if there is no base path",
      { headers, env: { AUTH_URL: "https://app.example/my-app/" } },
      "https://app.example/my-app/session",
    ],
    [
      "a path is kept before the base path /",
      { headers, env: { AUTH_URL: "https://app.example/my-app" }, basePath: "/" },
      "https://app.example/my-app/session",
    ],
    [
      "a path that is the base path is not repeated",
      { headers, env: { AUTH_URL: "https://app.example/api/auth" }, basePath: "/api/auth" },
      "https://app.example/api/auth/session",
    ],
    [
      "query and fragment are left out",
      { headers, env: { AUTH_URL: "https://app.example/?a=b#c" }, basePath: "/auth" },
      "https://app.example/auth/session",
    ],
  ])("%s", (_, situation, expected) => {
    expect(buildActionUrl(situation)).toEqual({ url: expected, warnings: [] })
  })

  test.each(["https://s.d.com/my-app", "https://s.d.com/api/auth/"])(
    "the base path goes before the path of AUTH_URL %s, with a warning",
    (AUTH_URL) => {
      expect(buildActionUrl({ headers, env: { AUTH_URL }, basePath: "/api/auth" })).toEqual({
        url: "https://s.d.com/api/auth/session",
        warnings: ["env-url-basepath-mismatch"],
      })
    },
  )

  test("ignores errors of the logger", () => {
    const env = { AUTH_URL: "https://s.d.com/my-app" }
    const logger = {
      warn() {
        throw new Error("the disk is full")
      },
    }
    const config = { basePath: "/auth", logger }
    const url = createActionURL("session", "https", new Headers(hostHeader), env, config)
    expect(url.href).toBe("https://s.d.com/auth/session")
  })

  test("writes the warning to the console without a logger", () => {
    const console = vi.spyOn(globalThis.console, "warn").mockImplementation(() => undefined)
    onTestFinished(() => console.mockRestore())
    const env = { AUTH_URL: "https://s.d.com/my-app" }
    createActionURL("session", "https", new Headers(hostHeader), env, { basePath: "/auth" })
    expect(console.mock.calls.join()).toContain("env-url-basepath-mismatch")
  })

  test.each(["example.com", "localhost:3000", "javascript:alert(1)", "//app.example", "ftp://a.b"])(
    "an AUTH_URL that is not a web URL is refused with an error that names it: %s",
    (AUTH_URL) => {
      expect(() => buildActionUrl({ headers, env: { AUTH_URL }, basePath: "/auth" })).toThrow(
        /^AUTH_URL/,
      )
    },
  )
})
