/** The cookies of a browser, once it has the answer. */
import { applySetCookies } from "@latchkey/core/integration"
import { expect, test } from "vitest"

test.each([
  ["none and nothing set", undefined, [], ""],
  ["as they were", "a=1; b=2", [], "a=1; b=2"],
  ["with a new one", "a=1", ["b=x%3Dy; Path=/; HttpOnly"], "a=1; b=x%3Dy"],
  ["with another value", "a=1; b=2; a=3", ["a=4; Path=/"], "b=2; a=4"],
  ["without what was deleted", " a.0=1;a.1=2 ; b=3", ["a.0=; Max-Age=0", "a.1="], "b=3"],
  ["with what was set last", null, ["a=1; Path=/", "a=2; Path=/"], "a=2"],
  ["with a value that ends like an empty one", null, ["a=Zm8=; Path=/"], "a=Zm8="],
])("are %s", (_, header, lines, expected) => {
  expect(applySetCookies(header, lines)).toBe(expected)
})
