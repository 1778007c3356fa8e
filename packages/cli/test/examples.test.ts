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

/** The findings for AUTH_URL=http://localhost:3000/a: Express knows its mount, and the route of SolidStart is a folder. */
describe.each([
  ["express", "/auth", "/auth", "base-path-differs", 0],
  ["sveltekit", "/auth", "/a", undefined, 0],
  ["solid-start", "/api/auth", "/a", "mount-differs", 1],
  ["qwik", "/auth", "/a", undefined, 0],
])("latchkey doctor in examples/%s", (name, defaultPath, pathOfAuthUrl, code, statusOfAuthUrl) => {
  const runInExample = (args: readonly string[], variables: Readonly<Record<string, string>>) =>
    runLatchkey(["doctor", ...args], join(examples, name), { ...env, ...variables })

  test.each([
    [
      "prints the redirect URI",
      [],
      {},
      name === "qwik" ? "http://localhost:5173" : "http://localhost:3000",
    ],
    [
      "with an AUTH_URL without a path",
      [],
      { AUTH_URL: "http://a.localhost" },
      "http://a.localhost",
    ],
    ["with another --url", ["--url", "http://localhost:4000"], {}, "http://localhost:4000"],
  ])("%s", async (_, args, variables, origin) => {
    const { status, out } = await runInExample(args, variables)

    expect(out).toContain(`${origin}${defaultPath}/callback/tenantidp`)
    expect(status).toBe(0)
  })

  test("with a path in AUTH_URL", async () => {
    const { status, out } = await runInExample([], { AUTH_URL: "http://localhost:3000/a" })

    // Nothing is to be registered for a path that no request reaches.
    expect(out).toContain(
      statusOfAuthUrl === 0
        ? `http://localhost:3000${pathOfAuthUrl}/callback/tenantidp`
        : `their base path is ${pathOfAuthUrl}`,
    )
    expect(out).toContain(code ?? "no errors, no warnings")
    expect(status).toBe(statusOfAuthUrl)
  })
})
