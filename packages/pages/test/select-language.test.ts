import { expect, test, vi } from "vitest"
import { createLanguageFinder } from "../src/messages/select-language.ts"

test.each([
  ["de", "de"],
  ["de-CH-1996", "de"],
  ["DE-at", "de-AT"],
  ["zh", "zh-Hans"],
  ["zh-CN", "zh-Hans"],
  ["zh-Hans-SG", "zh-Hans"],
  ["zh-TW", undefined],
  ["zh-Hant", undefined],
  ["iw", "he"],
  ["sr", undefined],
  ["d", undefined],
  ["deutsch-", undefined],
  ["", undefined],
])("the language for %j is %j", (range, tag) => {
  const available = ["de", "de-AT", "zh-Hans", "he"].map((tag) => ({ tag }))
  expect(createLanguageFinder(available)(range)?.tag).toBe(tag)
})

test("a region of another country is better than another language", () => {
  const findLanguage = createLanguageFinder([{ tag: "en" }, { tag: "de-AT" }])
  expect(findLanguage("de")?.tag).toBe("de-AT")
})

test("a browser that asks for many languages costs one inference for each", () => {
  const infer = vi.spyOn(Intl, "Locale")
  try {
    const available = ["de", "he", "ja", "ko", "uk"].map((tag) => ({ tag }))
    const findLanguage = createLanguageFinder(available)
    const ranges = Array.from({ length: 32 }, (_, index) => `qaa-${1000 + index}`)
    expect(ranges.map(findLanguage)).toEqual(ranges.map(() => undefined))
    expect(infer).toHaveBeenCalledTimes(available.length + ranges.length)
  } finally {
    infer.mockRestore()
  }
})
