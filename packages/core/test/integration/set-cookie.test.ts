/** The `Set-Cookie` lines of an answer that several parts of an application write on. */
import { mergeSetCookies, noStore, trackSessionRead } from "@latchkey/core/integration"
import type { Cookie } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"

describe("lines that are added", () => {
  test.each([
    ["to none", [], ["s=1; Path=/"], ["s=1; Path=/"]],
    ["to others", ["theme=dark"], ["s=1"], ["theme=dark", "s=1"]],
    ["to one of the same cookie, which goes", ["s=1; Path=/"], ["s=2"], ["s=2"]],
    [
      "to parts of the same cookie, which the browser may have from before",
      [
        "s=; Max-Age=0; Path=/; HttpOnly",
        "s.0=a; Path=/; Expires=Thu, 01 Jan 2037 00:00:00 GMT; Secure",
      ],
      ["s.1=b"],
      ["s=; Max-Age=0; Path=/; HttpOnly", "s.0=; Max-Age=0; Path=/; Secure", "s.1=b"],
    ],
    [
      "to one whose name only begins alike",
      ["s.old=1", "sx=1"],
      ["s=2"],
      ["s.old=1", "sx=1", "s=2"],
    ],
  ])("%s", (_, earlier, added, expected) => {
    expect(mergeSetCookies(earlier, added)).toEqual(expected)
  })
})

describe("a look at the session", () => {
  const cookie = (value: string, name = "s"): Cookie => ({ name, value, options: {} })

  function answer() {
    let lines: readonly string[] = []
    const request = {}
    const add = (added: readonly string[]) => {
      lines = mergeSetCookies(lines, added)
    }
    return { lines: () => lines, add, look: () => trackSessionRead(request, () => lines, add) }
  }

  test("leaves its cookies, beside those that the application set meanwhile", () => {
    const { lines, add, look } = answer()
    const authorizationUrl = look()
    add(["theme=dark"])
    authorizationUrl.complete([cookie("new")])
    expect(lines()).toEqual(["theme=dark", "s=new"])
  })

  test.each(["complete", "fail"] as const)(
    "%s, leaves none where somebody signed in or out",
    (end) => {
      const { lines, add, look } = answer()
      const authorizationUrl = look()
      add(["s.0=somebody else"])
      authorizationUrl[end]([cookie("old")])
      expect(lines()).toEqual(["s.0=somebody else"])
    },
  )

  test("replaces what was set before it began", () => {
    const { lines, add, look } = answer()
    add(["s=earlier"])
    look().complete([cookie("new")])
    expect(lines()).toEqual(["s=new"])
  })

  test("that failed gives way to one that did not, and to another that failed", () => {
    const { lines, look } = answer()
    const [first, second, third] = [look(), look(), look()]
    first.fail([cookie("1")])
    expect(lines()).toEqual(["s=1"])
    second.fail([cookie("2")])
    expect(lines()).toEqual(["s=2"])
    third.complete([cookie("3")])
    expect(lines()).toEqual(["s=3"])
  })

  test("that failed does not replace what another one found", () => {
    const { lines, look } = answer()
    const [first, second] = [look(), look()]
    first.complete([cookie("")])
    second.fail([cookie("renewed")])
    expect(lines()).toEqual(["s="])
  })

  test("that found its cookie gives way to nobody who signs in or out after one that failed", () => {
    const { lines, add, look } = answer()
    const [authorizationUrl, grown, shrunk] = [look(), look(), look()]
    grown.fail([cookie("", "s"), cookie("a", "s.0"), cookie("b", "s.1")])
    shrunk.fail([cookie("c"), cookie("", "s.0"), cookie("", "s.1")])
    const signedOut = [cookie("", "s"), cookie("", "s.0"), cookie("", "s.1")]
    add(signedOut.map(({ name }) => `${name}=`))
    authorizationUrl.complete([cookie("old")])
    expect(lines()).toEqual(["s=", "s.0=", "s.1="])
  })

  test("does not replace the session of somebody who signed in, though a look at that one failed", () => {
    const { lines, add, look } = answer()
    const authorizationUrl = look()
    add(["s=bob"])
    look().fail([cookie("bob, renewed")])
    authorizationUrl.complete([cookie("alice")])
    expect(lines()).toEqual(["s=bob%2C%20renewed"])
  })

  test("replaces what one left behind that failed, also where that shrank", () => {
    const { lines, look } = answer()
    const [grown, shrunk, last] = [look(), look(), look()]
    grown.fail([cookie("a", "s.0"), cookie("b", "s.1")])
    shrunk.fail([cookie("c")])
    last.complete([cookie("d")])
    expect(lines()).toEqual(["s.0=; Max-Age=0", "s.1=; Max-Age=0", "s=d"])
  })

  test("leaves nothing where there is nothing to leave", () => {
    const { lines, look } = answer()
    look().complete([])
    expect(lines()).toEqual([])
  })
})

test.each([
  [undefined, "private, no-store"],
  ["public, max-age=600", "private, no-store"],
  ["no-store", "no-store"],
  // Streams of events ask for it: a middleware that compresses would hold them back.
  ["no-cache, no-transform", "private, no-store, no-transform"],
])("an answer that was to say %o to caches says %o", (written, expected) => {
  expect(noStore(written)).toBe(expected)
})
