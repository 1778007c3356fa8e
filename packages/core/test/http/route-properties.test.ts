/** Any path and any base path: one decision, in bounded time, without a fault. */
import { isAuthAction } from "@latchkey/core"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { anyCharacter } from "../support/any-character.ts"
import { propertyRuns } from "../support/property-runs.ts"
import { createMinimalSite, sendRequest, siteOrigin } from "../support/test-site.ts"

const actions = ["signin", "callback", "webauthn-options", "session", "csrf", "error", "providers"]
const providerActions = new Set(["signin", "callback", "webauthn-options"])

const anySegment = fc.oneof(
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
  fc.string({ unit: anyCharacter, maxLength: 6 }),
)
const anyPath = fc
  .array(anySegment, { maxLength: 6 })
  .chain((segments) => fc.constantFrom(`/auth/${segments.join("/")}`, `/${segments.join("/")}`))

/** Segments of a base path, encoded as a browser sends them. */
const baseSegment = fc
  .string({ unit: fc.constantFrom(..."abcXYZ019-_.~$&+,;=:@!()*'"), minLength: 1, maxLength: 8 })
  .filter((text) => text !== "." && text !== "..")
const anyBasePath = fc
  .array(baseSegment, { minLength: 1, maxLength: 4 })
  .map((words) => `/${words.join("/")}`)

/** The decision, written a second time: names the action, or nothing. */
function expectedAction(pathname: string): string | undefined {
  const [empty, base, ...rest] = pathname.split("/")
  if (empty !== "" || base !== "auth" || rest.length === 0) return undefined
  if (rest.length > 1 && rest.at(-1) === "") rest.pop()
  const [action = "", provider, ...more] = rest
  if (!isAuthAction(action) || provider === "" || more.length > 0) return undefined
  return provider === undefined || providerActions.has(action) ? action : undefined
}

describe("a path", () => {
  test("either names an action or is a bad request", async () => {
    const { config } = createMinimalSite()
    await fc.assert(
      fc.asyncProperty(anyPath, async (written) => {
        const { pathname } = new URL(siteOrigin + written)
        fc.pre(!/^\/auth\/?$/.test(pathname)) // the base path itself
        const response = await sendRequest(config, siteOrigin + written)
        const isError = expectedAction(pathname) === "error"
        expect([pathname, response.status === 400]).toEqual([
          pathname,
          expectedAction(pathname) === undefined,
        ])
        if (!isError) expect(response.status).toBeLessThan(500)
      }),
      { numRuns: propertyRuns(2000) },
    )
  })

  test("has one slash after the base path, and at most one at its end", async () => {
    const { config } = createMinimalSite()
    const slashes = fc.integer({ min: 1, max: 40 }).map((count) => "/".repeat(count))
    await fc.assert(
      fc.asyncProperty(slashes, fc.constantFrom("", "/", "//", "///"), async (before, after) => {
        const response = await sendRequest(config, `${siteOrigin}/auth${before}session${after}`)
        const isAction = before === "/" && after.length <= 1
        expect(response.status).toBe(isAction ? 200 : 400)
      }),
    )
  })
})

describe("a base path", () => {
  test("has the actions under it, with or without a trailing slash", async () => {
    await fc.assert(
      fc.asyncProperty(anyBasePath, fc.constantFrom("", "/", "//"), async (prefix, slash) => {
        const { config, log } = createMinimalSite({ basePath: prefix + slash })
        const response = await sendRequest(config, `${siteOrigin}${prefix}/session`)
        expect([response.status, log.errorCodes]).toEqual([200, []])
        const list: object = await (
          await sendRequest(config, `${siteOrigin}${prefix}/providers`)
        ).json()
        const callbackUrl = `${siteOrigin}${prefix}/callback/credentials`
        expect(list).toHaveProperty("credentials.callbackUrl", callbackUrl)
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test("is literal: under any other path there is no action", async () => {
    const changed = fc
      .tuple(anyBasePath, fc.nat(), baseSegment)
      .map(([own, index, text]): [string, string] => {
        const place = 1 + (index % own.length)
        return [own, own.slice(0, place) + text + own.slice(place)]
      })
    const pair = fc
      .oneof(fc.tuple(anyBasePath, anyBasePath), changed)
      .filter(([own, other]) => !`${new URL(siteOrigin + other).pathname}/`.startsWith(`${own}/`))
    await fc.assert(
      fc.asyncProperty(pair, async ([own, other]) => {
        const { config } = createMinimalSite({ basePath: own })
        expect((await sendRequest(config, `${siteOrigin}${other}/session`)).status).toBe(400)
      }),
      { numRuns: propertyRuns(500) },
    )
  })
})
