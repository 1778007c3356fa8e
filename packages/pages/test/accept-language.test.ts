import fc from "fast-check"
import { expect, test } from "vitest"
import { parseAcceptLanguage } from "../src/messages/select-language.ts"

test.each([
  [null, []],
  ["", []],
  ["de", ["de"]],
  ["de-CH, fr;q=0.8, en;q=0.9", ["de-CH", "en", "fr"]],
  ["da, en-gb;q=0.8, en;q=0.8", ["da", "en-gb", "en"]],
  ["DE ;q=0.5\t, zh-Hans-CN ; q=1.000", ["zh-Hans-CN", "DE"]],
  // Not wanted, or any language
  ["en;q=0, de;q=0.000, *", []],
  ["*;q=0.5, fr;q=0.1", ["fr"]],
  // Malformed
  [",, de;q=2, fr;q=0.1234, it;q=, es;Q=0.5, toolongtag, d e, nl;level=1, -pl", ["es"]],
])("%j asks for %j", (header, ranges) => {
  expect(parseAcceptLanguage(header)).toEqual(ranges)
})

test("reads the first 32 entries of a long header", () => {
  expect(parseAcceptLanguage("de,".repeat(5000))).toHaveLength(32)
  expect(parseAcceptLanguage(`${"a".repeat(100_000)},de`)).toEqual(["de"])
})

test("never fails", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."deq=;,.- 01*\t") }), (header) => {
      for (const range of parseAcceptLanguage(header)) expect(range).toMatch(/^[a-z\d-]+$/)
    }),
  )
})
