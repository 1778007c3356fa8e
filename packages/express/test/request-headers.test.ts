import { expect, test } from "vitest"
import { RawHeaders } from "../src/request-headers.ts"

test("repeated headers are joined, as `Headers` does", () => {
  const headers = new RawHeaders(["Cookie", "a=1", "X-Tag", "b", "COOKIE", "c=2", "x-tag", "d"])
  expect(headers.get("cookie")).toBe("a=1; c=2")
  expect(headers.get("X-TAG")).toBe("b, d")
  expect(headers.get("origin")).toBeNull()
  expect(new Headers([...headers]).get("cookie")).toBe("a=1; c=2")
})

test("pseudo-headers of HTTP/2 are left out of a `Headers`", () => {
  const headers = new RawHeaders([":method", "POST", ":authority", "app.example", "cookie", "a=1"])
  expect([...new Headers([...headers])]).toEqual([["cookie", "a=1"]])
})
