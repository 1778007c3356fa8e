/** The doctor in the example applications, which have their configurations at the usual path. */
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { runLatchkey } from "./support/run-latchkey.ts"

const examples = join(import.meta.dirname, "../../../examples")
const env = {
  AUTH_SECRET: "gT5x+Jw0fC9e1rYq8ZkVn2bLm4sHd7uPaO3iXyW6EtQ=",
  AUTH_TENANTIDP_ID: "example",
  AUTH_TENANTIDP_SECRET: "worth nothing",
  AUTH_TENANTIDP_ISSUER: "http://127.0.0.1:3001",
}

describe.each([
  ["express", "/auth"],
  ["sveltekit", "/auth"],
  ["solid-start", "/api/auth"],
  ["qwik", "/auth"],
])("latchkey doctor in examples/%s", (name, defaultBasePath) => {
  test.each([
    ["prints the callback URL", [], {}, `http://localhost:3000${defaultBasePath}`],
    [
      "with an AUTH_URL without a path",
      [],
      { AUTH_URL: "http://localhost:3000" },
      `http://localhost:3000${defaultBasePath}`,
    ],
    [
      "with a path in AUTH_URL",
      [],
      { AUTH_URL: "http://localhost:3000/a" },
      "http://localhost:3000/a",
    ],
    ["with a path in --url", ["--url", "http://localhost:4000/b"], {}, "http://localhost:4000/b"],
  ])("%s", async (_, args, extraEnv, base) => {
    const { status, out } = await runLatchkey(["doctor", ...args], join(examples, name), {
      ...env,
      ...extraEnv,
    })
    expect(out).toContain(`${base}/callback/tenantidp`)
    expect(status).toBe(0)
  })
})
