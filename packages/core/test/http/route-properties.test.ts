/** Any path and any base path: one decision, in bounded time, without a fault. */
import { isAuthAction } from "@latchkey/core"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ask, bareSite, home } from "../support/front-door.ts"

const actions = ["signin", "callback", "webauthn-options", "session", "csrf", "error", "providers"]
const withProvider = new Set(["signin", "callback", "webauthn-options"])

const segment = fc.oneof(
  fc.constantFrom(
    ...actions,
    "auth",
    "",
    ".",
    "..",
    "undefined",
    "credentials",
    "%2f",
    "__proto__",
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
)
const path = fc
  .array(segment, { maxLength: 6 })
  .chain((segments) => fc.constantFrom(`/auth/${segments.join("/")}`, `/${segments.join("/")}`))

/** Segments of a base path: what a path may hold, written as a browser sends it. */
const word = fc
  .string({ unit: fc.constantFrom(..."abcXYZ019-_.~$&+,;=:@!()*'"), minLength: 1, maxLength: 8 })
  .filter((text) => text !== "." && text !== "..")
const basePath = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((words) => `/${words.join("/")}`)

/** The decision, written a second time: names the action, or nothing. */
function named(pathname: string): string | undefined {
  const [empty, base, ...rest] = pathname.split("/")
  if (empty !== "" || base !== "auth" || rest.length === 0) return undefined
  const [action = "", provider, ...more] = rest.filter((text) => text !== "")
  if (!isAuthAction(action) || more.length > 0) return undefined
  return provider === undefined || withProvider.has(action) ? action : undefined
}

describe("a path", () => {
  test("names an action, or is a bad request: nothing else happens", async () => {
    const { config } = bareSite()
    await fc.assert(
      fc.asyncProperty(path, async (written) => {
        const { pathname } = new URL(home + written)
        const answer = await ask(config, home + written)
        const isError = named(pathname) === "error"
        expect([pathname, answer.status === 400]).toEqual([pathname, named(pathname) === undefined])
        if (!isError) expect(answer.status).toBeLessThan(500)
      }),
      { numRuns: 2000 },
    )
  })

  test("may have any number of slashes behind the base path", async () => {
    const { config } = bareSite()
    const slashes = fc.integer({ min: 1, max: 40 }).map((count) => "/".repeat(count))
    await fc.assert(
      fc.asyncProperty(slashes, fc.constantFrom("", "/", "//", "///"), async (before, after) => {
        const answer = await ask(config, `${home}/auth${before}session${after}`)
        expect([answer.status, await answer.text()]).toEqual([200, "null"])
      }),
    )
  })
})

describe("a base path", () => {
  test("has the actions under it, with or without a slash at its end", async () => {
    await fc.assert(
      fc.asyncProperty(basePath, fc.constantFrom("", "/", "//"), async (prefix, slash) => {
        const { config, log } = bareSite({ basePath: prefix + slash })
        const answer = await ask(config, `${home}${prefix}/session`)
        expect([answer.status, log.errors]).toEqual([200, []])
        const list: object = await (await ask(config, `${home}${prefix}/providers`)).json()
        const callbackUrl = `${home}${prefix}/callback/credentials`
        expect(list).toHaveProperty("credentials.callbackUrl", callbackUrl)
      }),
      { numRuns: 300 },
    )
  })

  test("is taken literally: under any other path there is no action", async () => {
    const changed = fc.tuple(basePath, fc.nat(), word).map(([own, at, text]): [string, string] => {
      const place = 1 + (at % own.length)
      return [own, own.slice(0, place) + text + own.slice(place)]
    })
    const pair = fc
      .oneof(fc.tuple(basePath, basePath), changed)
      .filter(([own, other]) => !`${new URL(home + other).pathname}/`.startsWith(`${own}/`))
    await fc.assert(
      fc.asyncProperty(pair, async ([own, other]) => {
        const { config } = bareSite({ basePath: own })
        expect((await ask(config, `${home}${other}/session`)).status).toBe(400)
      }),
      { numRuns: 500 },
    )
  })
})
