/** The cookies of an answer, where a framework writes each of them by its name. */
import { createAnswerCookies } from "@latchkey/core/mounting"
import type { Cookie } from "@latchkey/core/types"
import { expect, test } from "vitest"

const cookie = (name: string, value: string, maxAge?: number): Cookie => ({
  name,
  value,
  options: { path: "/", ...(maxAge === undefined ? {} : { maxAge }) },
})

function answer(given: string | null) {
  const written = new Map<string, Cookie>()
  const cookies = createAnswerCookies(given, (each) => void written.set(each.name, each))
  return { cookies, written }
}

test("what ends a session ends the parts, too, into which it grew on the way", () => {
  const { cookies, written } = answer("theme=dark; s=old")
  cookies.set([cookie("s", "", 0), cookie("s.0", "a"), cookie("s.1", "b")])
  expect(cookies.header()).toBe("theme=dark; s.0=a; s.1=b")

  cookies.set([cookie("s", "", 0)])
  expect([...written.values()]).toEqual([
    cookie("s", "", 0),
    cookie("s.0", "", 0),
    cookie("s.1", "", 0),
  ])
  expect(cookies.header()).toBe("theme=dark")
})

test("a session that grows leaves nothing of what it was", () => {
  const { cookies, written } = answer(null)
  expect(cookies.areSet).toBe(false)
  cookies.set([cookie("s", "whole"), cookie("s.old", "of the application")])
  cookies.set([cookie("s.0", "a"), cookie("s.1", "b")])
  expect(cookies.areSet).toBe(true)
  expect([...written.values()]).toEqual([
    cookie("s", "", 0),
    cookie("s.old", "of the application"),
    cookie("s.0", "a"),
    cookie("s.1", "b"),
  ])
})
