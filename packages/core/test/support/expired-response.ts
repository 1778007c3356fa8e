/** The response of a provider that has expired, was used, or belongs to another browser, for a signed-in visitor. */
import { getSetCookieNames } from "@latchkey/testing"
import { expect } from "vitest"

/** Asserts that a response leads on to the application, and changes no session. */
export function expectExpiredResponseIgnored(
  response: Response,
  origin = "https://app.example",
): void {
  expect(response.headers.get("location")).toBe(origin)
  expect(getSetCookieNames(response).filter((name) => /session|state/.test(name))).toEqual([])
}
