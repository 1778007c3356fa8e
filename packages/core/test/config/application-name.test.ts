import { describe, expect, test } from "vitest"
import { parseApplicationName, resolveTheme } from "../../src/config/resolve-config.ts"

describe("the name of the application", () => {
  test.each([
    ["Acme", "Acme"],
    [" Café Zoë ", "Café Zoë"],
    ["あいう", "あいう"],
    ["x".repeat(64), "x".repeat(64)],
  ])("%j is %j", (configured, name) => {
    expect(parseApplicationName(configured)).toBe(name)
  })

  test.each([
    "",
    "  ",
    "x".repeat(65),
    "A\r\nBcc: b@x.example",
    "A\u2028B",
    "A\0B",
    "\ud83d",
    5,
    null,
    {},
  ])("%j is left out of the theme", (name) => {
    expect(parseApplicationName(name)).toBeUndefined()
    const theme = { brandColor: "#123456", name: name as string }
    expect(resolveTheme(theme)).toEqual({ brandColor: "#123456" })
  })
})
