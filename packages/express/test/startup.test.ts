/** The problems of a configuration are in the log when the application has started, once. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { createTestBrowser } from "@latchkey/testing"
import express from "express"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, createConfig, secret } from "./support/config.ts"
import { send, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllEnvs())

/** A configuration whose log is an array of codes. */
function createLoggedConfig(changes: Partial<MiddlewareAuthConfig> = {}) {
  const codes: string[] = []
  const record = (code: string) => void codes.push(code)
  return { codes, config: createConfig({ logger: { error: record, warn: record }, ...changes }) }
}

/** Resolves after the timers that were set before. */
const waitForTimers = () => new Promise((resolve) => setTimeout(resolve, 1))

test("a problem is logged before the first request, and not again, whatever the mount", async () => {
  const { codes, config } = createLoggedConfig({ secret: "short" })
  const app = express()
  app.use("/api/v1/auth", MiddlewareAuth(config))
  expect(codes).toEqual([])
  await vi.waitFor(() => expect(codes).toEqual(["WeakSecret"]))
  const origin = await serve(app)
  for (const path of ["session", "providers"])
    expect((await send(origin, `/api/v1/auth/${path}`)).status).toBe(500)
  expect(codes).toEqual(["WeakSecret"])
})

test("an environment that the application loads after its imports counts", async () => {
  const { codes, config } = createLoggedConfig({ secret: undefined as never })
  MiddlewareAuth(config)
  vi.stubEnv("AUTH_SECRET", secret)
  await waitForTimers()
  expect(codes).toEqual([])
})

test("an invalid AUTH_URL is logged", async () => {
  vi.stubEnv("AUTH_URL", "app.example")
  const { codes, config } = createLoggedConfig()
  MiddlewareAuth(config)
  await vi.waitFor(() => expect(codes).toEqual(["TypeError"]))
})

test("a page is not compared with a path that may not be that of the mount", async () => {
  const { codes, config } = createLoggedConfig({ pages: { signIn: "/auth/signin" } })
  const app = express()
  app.use("/api/auth", MiddlewareAuth(config))
  await waitForTimers()
  expect((await send(await serve(app), "/api/auth/session")).status).toBe(200)
  expect(codes).toEqual([])
})

test("clients cannot repeat the warning of a mount that differs, nor cause it", async () => {
  const { codes, config } = createLoggedConfig({ basePath: "/auth" })
  const app = express()
  app.use("/:tenant/auth", MiddlewareAuth(config))
  app.use("/auth", MiddlewareAuth(config))
  const origin = await serve(app)
  for (const path of ["/AUTH/session", "/Auth/csrf"]) await send(origin, path)
  expect(codes).toEqual([])
  for (const path of ["/a/auth/session", "/b/auth/csrf"]) await send(origin, path)
  expect(codes).toEqual(["mount-mismatch"])
})

test.each([
  ["another port, in development", "development", "http://localhost:1", ["auth-url-port"]],
  ["another port, in production", "production", "http://localhost:1", []],
  ["another host", "development", "https://app.example:1", []],
])("AUTH_URL of %s", async (_, mode, authUrl, expected) => {
  vi.stubEnv("NODE_ENV", mode)
  vi.stubEnv("AUTH_URL", authUrl)
  const { codes, config } = createLoggedConfig()
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  const origin = await serve(app)
  for (const path of ["/auth/csrf", "/auth/providers"]) await send(origin, path)
  expect(codes).toEqual(expected)
})

test("the first failure is followed by one line about NODE_ENV if it is not set", async () => {
  vi.stubEnv("NODE_ENV", undefined)
  const { codes, config } = createLoggedConfig()
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  const origin = await serve(app)
  const fail = () => send(origin, "/auth/callback/nobody")
  expect((await fail()).status).toBe(302)
  expect(codes).toEqual(["InvalidProvider", "node-env"])
  await fail()
  expect(codes).toEqual(["InvalidProvider", "node-env", "InvalidProvider"])
})

test.each(["production", "development", "test"])("NODE_ENV=%s needs no such line", async (mode) => {
  vi.stubEnv("NODE_ENV", mode)
  const { codes, config } = createLoggedConfig()
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  await send(await serve(app), "/auth/callback/nobody")
  expect(codes).toEqual(["InvalidProvider"])
})

test("a wrong password is no failure that needs the line", async () => {
  vi.stubEnv("NODE_ENV", undefined)
  const { codes, config } = createLoggedConfig()
  const app = express()
  app.use("/auth", MiddlewareAuth(config))
  const user = createTestBrowser(await serve(app))
  await user.signIn("credentials", { ...alice, password: "another" })
  expect(codes).toEqual(["CredentialsSignin"])
})

test("a valid configuration logs nothing", async () => {
  const { codes, config } = createLoggedConfig()
  MiddlewareAuth(config)
  await waitForTimers()
  expect(codes).toEqual([])
})

describe("in production", () => {
  const provider = `{ id: "idp", type: "oauth", name: "IdP", clientId: "a", clientSecret: "b", authorization: "https://idp.example/a", token: "https://idp.example/t", userinfo: "https://idp.example/u", profile: () => ({ id: "1" }) }`
  const complete = { AUTH_SECRET: secret, AUTH_URL: "https://app.example", NODE_ENV: "production" }

  /** Runs an application, whose only request is for `/auth/session`. */
  async function run(providers: string, env: Record<string, string>) {
    const script = `
      import { MiddlewareAuth } from "@latchkey/express"
      import express from "express"
      const server = express().use("/auth", MiddlewareAuth({ providers: [${providers}] })).listen(0, async () => {
        const response = await fetch("http://127.0.0.1:" + server.address().port + "/auth/session")
        console.log("status", response.status)
        process.exit(0)
      })`
    const args = ["--conditions=@latchkey/source", "--input-type=module", "--eval", script]
    const child = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    })
    const [out, err] = [text(child.stdout), text(child.stderr)]
    const [code] = await once(child, "close")
    return { code, out: await out, err: await err }
  }

  test.each([
    ["a secret", provider, { AUTH_SECRET: "" }, /MissingSecret/],
    ["a URL", provider, { AUTH_URL: "" }, /UntrustedHost/],
    ["a URL with a scheme", provider, { AUTH_URL: "localhost:3000" }, /AUTH_URL must be/],
    ["a provider", "", {}, /InvalidOption.*a provider that can be used/],
    ["a complete provider", provider.replace('"a"', '""'), {}, /MissingClientId/],
  ])("without %s, the process ends with one line", async (_, providers, env, line) => {
    const { code, out, err } = await run(providers, { ...complete, ...env })
    expect(err).toMatch(line)
    expect(err.trim().split("\n")).toHaveLength(1)
    expect({ code, out }).toEqual({ code: 1, out: "" })
  })

  test("a complete application serves, and so does an incomplete one in development", async () => {
    const served = { code: 0, out: "status 200\n" }
    expect(await run(provider, complete)).toEqual({ ...served, err: "" })
    const { code, out } = await run(provider, {
      ...complete,
      NODE_ENV: "development",
      AUTH_SECRET: "",
    })
    expect({ code, out }).toEqual({ code: 0, out: "status 500\n" })
  })
})
