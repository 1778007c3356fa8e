/** The cookies of an answer, where a framework writes each of them by its name. */
import { createResponseCookies } from "@latchkey/core/integration"
import type { Cookie } from "@latchkey/core/types"
import { expect, test } from "vitest"

const createCookie = (name: string, value: string, maxAge?: number): Cookie => ({
  name,
  value,
  options: { path: "/", ...(maxAge === undefined ? {} : { maxAge }) },
})

function createResponse(received: string | null) {
  const written = new Map<string, Cookie>()
  const cookies = createResponseCookies(received, (each) => void written.set(each.name, each))
  return { cookies, written }
}

test("what ends a session ends the parts, too, into which it grew on the way", () => {
  const { cookies, written } = createResponse("theme=dark; s=old")
  cookies.set([createCookie("s", "", 0), createCookie("s.0", "a"), createCookie("s.1", "b")])
  expect(cookies.toCookieHeader()).toBe("theme=dark; s.0=a; s.1=b")

  cookies.set([createCookie("s", "", 0)])
  expect([...written.values()]).toEqual([
    createCookie("s", "", 0),
    createCookie("s.0", "", 0),
    createCookie("s.1", "", 0),
  ])
  expect(cookies.toCookieHeader()).toBe("theme=dark")
})

test("a session that grows leaves nothing of what it was", () => {
  const { cookies, written } = createResponse(null)
  expect(cookies.hasCookies).toBe(false)
  cookies.set([createCookie("s", "whole"), createCookie("s.old", "of the application")])
  cookies.set([createCookie("s.0", "a"), createCookie("s.1", "b")])
  expect(cookies.hasCookies).toBe(true)
  expect([...written.values()]).toEqual([
    createCookie("s", "", 0),
    createCookie("s.old", "of the application"),
    createCookie("s.0", "a"),
    createCookie("s.1", "b"),
  ])
})
