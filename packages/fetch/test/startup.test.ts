/** A server in production that could sign nobody in ends when it starts. */
import { FetchAuth, type FetchAuthConfig } from "@latchkey/fetch"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createConfig, secret } from "./support/config.ts"

const exit = vi.spyOn(process, "exit")

beforeEach(() => {
  exit.mockReset().mockImplementation(() => undefined as never)
  vi.stubEnv("AUTH_SECRET", secret)
  vi.stubEnv("AUTH_URL", "https://app.example")
  vi.stubEnv("NODE_ENV", "production")
})
afterEach(() => void vi.unstubAllEnvs())

/** Checks a configuration, and returns the codes in its log. */
async function check(changes: Partial<FetchAuthConfig>, isLate = false): Promise<string[]> {
  const codes: string[] = []
  const record = (code: string) => void codes.push(code)
  const auth = FetchAuth({
    ...createConfig(),
    logger: { error: record, warn: record },
    ...changes,
  })
  if (isLate) await passTimers()
  auth.checkConfigAtStartup()
  await passTimers()
  return codes
}

const passTimers = () => new Promise((resolve) => setTimeout(resolve, 1))

test.each([
  ["secret", { secret: undefined }, { AUTH_SECRET: "" }, "MissingSecret"],
  ["URL", { trustHost: false }, { AUTH_URL: "" }, "UntrustedHost"],
  ["provider", { providers: [] }, {}, "InvalidOption"],
])("without a %s, after one line", async (_, changes, env: Record<string, string>, code) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  expect(await check(changes as never)).toEqual([code])
  expect(exit.mock.calls).toEqual([[1]])
})

test("a complete configuration goes on, and an incomplete one in development", async () => {
  expect(await check({})).toEqual([])
  vi.stubEnv("NODE_ENV", "development")
  expect(await check({ secret: "short" })).toEqual(["WeakSecret"])
  expect(exit).not.toHaveBeenCalled()
})

test("a call that comes late ends the process, too", async () => {
  expect(await check({ secret: "short" }, true)).toEqual(["WeakSecret"])
  expect(exit.mock.calls).toEqual([[1]])
})

test("without the call, problems are logged, and nothing ends", async () => {
  const codes: string[] = []
  const error = (code: string) => void codes.push(code)
  FetchAuth(createConfig({ logger: { error }, secret: "short" }))
  await passTimers()
  expect(codes).toEqual(["WeakSecret"])
  expect(exit).not.toHaveBeenCalled()
})
