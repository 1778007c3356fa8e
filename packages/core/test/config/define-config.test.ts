import { Auth, defineConfig } from "@latchkey/core"
import { expect, test } from "vitest"

const secret = "0123456789abcdef0123456789abcdef"

test("defineConfig returns the same object, so that it is compiled once and never changed", async () => {
  const written = Object.freeze({ providers: [], secret, trustHost: true })
  const config = defineConfig(written)
  expect(config).toBe(written)
  const response = await Auth(new Request("https://app.example/auth/session"), config)
  expect(await response.json()).toBeNull()
})
