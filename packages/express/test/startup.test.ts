/** The problems of a configuration are in the log when the application has started, once. */
import { MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { createTestBrowser } from "@latchkey/testing"
import express from "express"
import { afterEach, expect, test, vi } from "vitest"
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
