/** A server in production that could sign nobody in ends when it starts. */
import { NextAuth } from "@latchkey/next"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createConfig } from "./support/config.ts"

const exit = vi.spyOn(process, "exit")

beforeEach(() => {
  exit.mockReset().mockImplementation(() => undefined as never)
  vi.stubEnv("AUTH_URL", "https://app.example")
  vi.stubEnv("NODE_ENV", "production")
})
afterEach(() => void vi.unstubAllEnvs())

/** Loads a configuration that lists no provider, and returns the codes in its log. */
async function load(isChecked: boolean): Promise<string[]> {
  const codes: string[] = []
  const error = (code: string) => void codes.push(code)
  const { checkConfigAtStartup } = NextAuth({ ...createConfig(), providers: [], logger: { error } })
  if (isChecked) checkConfigAtStartup()
  await new Promise((resolve) => setTimeout(resolve, 1))
  return codes
}

test("ends after one line", async () => {
  expect(await load(true)).toEqual(["InvalidOption"])
  expect(exit.mock.calls).toEqual([[1]])
})

test("without the call, a configuration without providers is that of a proxy", async () => {
  expect(await load(false)).toEqual([])
  expect(exit).not.toHaveBeenCalled()
})

test("other problems are only logged without the call", async () => {
  const codes: string[] = []
  const error = (code: string) => void codes.push(code)
  NextAuth(createConfig({ secret: "short", logger: { error } }))
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(codes).toEqual(["WeakSecret"])
  expect(exit).not.toHaveBeenCalled()
})

test("a configuration whose providers are no list is reported, not thrown", async () => {
  vi.stubEnv("AUTH_URL", "")
  const codes: string[] = []
  const error = (code: string) => void codes.push(code)
  for (const providers of [undefined, {}])
    NextAuth({ ...createConfig(), providers: providers as never, logger: { error } })
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(codes.length).toBeGreaterThanOrEqual(2)
})

test("goes on in development, and while `next build` loads the configuration", async () => {
  vi.stubEnv("NODE_ENV", "development")
  await load(true)
  vi.stubEnv("NODE_ENV", "production")
  vi.stubEnv("NEXT_PHASE", "phase-production-build")
  expect(await load(true)).toEqual([])
  expect(exit).not.toHaveBeenCalled()
})

test("does nothing if a function creates the configuration", async () => {
  NextAuth(() => ({ ...createConfig(), providers: [] })).checkConfigAtStartup()
  await new Promise((resolve) => setTimeout(resolve, 1))
  expect(exit).not.toHaveBeenCalled()
})
