/** Values that users type are redacted, but not where they are part of the name of an error: logs are searched by names. */
import credentials from "@latchkey/core/providers/credentials"
import { expect, test } from "vitest"
import { createTestApp } from "../support/test-app.ts"

class DatabaseTimeoutError extends Error {
  override name = "DatabaseTimeoutError"
}

const createApp = (createError: (typed: string) => Error) =>
  createTestApp({
    debug: true,
    development: true,
    providers: [
      credentials({
        credentials: { password: {} },
        authorize(fields) {
          throw createError(String(fields["password"]))
        },
      }),
    ],
  })

test.each(["Error", "Callback", "Route", "Timeout", "allback"])(
  "the password %s is not removed from the names of errors",
  async (password) => {
    const app = createApp(() => new DatabaseTimeoutError("down"))
    const browser = app.openBrowser()
    const response = await browser.signIn("credentials", { password })
    const [logged] = app.log.lines.filter(({ level }) => level === "error")
    expect(logged).toMatchObject({ code: "CallbackRouteError" })
    expect(logged?.message[1]).toMatchObject({
      name: "CallbackRouteError",
      cause: { err: { name: "DatabaseTimeoutError" } },
    })
    const page = await (await browser.open(response.headers.get("location") ?? "")).text()
    expect(page).toContain("CallbackRouteError")
    expect(page).toContain("npx @latchkey/cli explain CallbackRouteError")
  },
)

test("a name that is not the one of a class can be typed, and is redacted", async () => {
  const app = createApp((typed) => Object.assign(new Error("wrong"), { name: `No ${typed}` }))
  await app.openBrowser().signIn("credentials", { password: "hunter2" })
  expect(app.log.toText()).toContain("No [redacted]")
  expect(app.log.toText()).not.toContain("hunter2")
})
