/** The cookies of a response in a framework that sets cookies one by one. */
import { applySetCookies, createResponseCookies } from "@latchkey/core/integration"
import type { Cookie } from "@latchkey/core/types"
import { expect, test } from "vitest"

const createCookie = (name: string, value: string, maxAge?: number): Cookie => ({
  name,
  value,
  options: { path: "/", ...(maxAge === undefined ? {} : { maxAge }) },
})

function createResponse(received: string | null) {
  const written = new Map<string, Cookie>()
  const cookies = createResponseCookies((each) => void written.set(each.name, each))
  const getCookieHeader = () => applySetCookies(received, cookies.getLines())
  return { cookies, written, getCookieHeader }
}

test("ending a session also deletes chunks that were set earlier in the request", () => {
  const { cookies, written, getCookieHeader } = createResponse("theme=dark; s=old")
  cookies.set([createCookie("s", "", 0), createCookie("s.0", "a"), createCookie("s.1", "b")])
  expect(getCookieHeader()).toBe("theme=dark; s.0=a; s.1=b")

  cookies.set([createCookie("s", "", 0)])
  expect([...written.values()]).toEqual([
    createCookie("s", "", 0),
    createCookie("s.0", "", 0),
    createCookie("s.1", "", 0),
  ])
  expect(getCookieHeader()).toBe("theme=dark")
})

test("a session that becomes longer deletes its earlier cookie", () => {
  const { cookies, written } = createResponse(null)
  expect(cookies.getLines()).toEqual([])
  cookies.set([createCookie("s", "whole"), createCookie("s.old", "of the application")])
  cookies.set([createCookie("s.0", "a"), createCookie("s.1", "b")])
  expect(cookies.getLines()).toHaveLength(4)
  expect([...written.values()]).toEqual([
    createCookie("s", "", 0),
    createCookie("s.old", "of the application"),
    createCookie("s.0", "a"),
    createCookie("s.1", "b"),
  ])
})
