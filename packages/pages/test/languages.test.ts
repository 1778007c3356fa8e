/** The texts of all languages. That none is missing and each has its placeholders, the compiler checks. */
import { readdirSync } from "node:fs"
import english from "@latchkey/pages/languages/en"
import { describe, expect, test } from "vitest"
import { createLanguageFinder } from "../src/messages/select-language.ts"
import { languages } from "./support/languages.ts"

const translations = languages.filter((language) => language !== english)
const englishTexts: Readonly<Record<string, string>> = english.messages

/** The texts that are the same word as in English. */
const sameAsEnglish = new Set([
  ...["de", "fr", "it", "nl", "pl", "tr"].map((tag) => `${tag} logo`),
  "de nameLabel",
])

function findPlaceholders(text: string | undefined): string[] {
  return (text?.match(/\{\w+\}/g) ?? []).sort()
}

test("there is one module for each language, named after its tag", () => {
  const files = readdirSync(new URL("../src/languages", import.meta.url))
  const tags = files.map((file) => file.replace(/\.ts$/, ""))
  expect(languages.map(({ tag }) => tag).sort()).toEqual(tags.sort())
})

test.each([
  ["ar-EG", "ar"],
  ["de-AT", "de"],
  ["en-GB", "en"],
  ["es-419", "es"],
  ["fr-CA", "fr"],
  ["iw", "he"],
  ["pt-PT", "pt"],
  ["zh-CN", "zh-Hans"],
  ["zh-SG", "zh-Hans"],
])("a browser that asks for %s gets %s", (range, tag) => {
  expect(createLanguageFinder(languages)(range)?.tag).toBe(tag)
})

describe.each(languages.map((language) => [language.tag, language] as const))(
  "%s",
  (tag, language) => {
    const texts = Object.entries<string>(language.messages)

    test("is known to the formatters of Intl, and has its direction", () => {
      expect(Intl.NumberFormat.supportedLocalesOf(tag)).toEqual([tag])
      const isRightToLeft = /^(?:Arab|Hebr)$/.test(new Intl.Locale(tag).maximize().script ?? "")
      expect(language.direction ?? "ltr").toBe(isRightToLeft ? "rtl" : "ltr")
    })

    test("has the placeholders of the English texts, each once", () => {
      for (const [key, text] of texts)
        expect([key, findPlaceholders(text)]).toEqual([key, findPlaceholders(englishTexts[key])])
    })

    test("has clean typography", () => {
      for (const [key, text] of texts) {
        const readable = `${key}: ${text}`
        expect(text, readable).toBe(text.trim())
        // Straight quotes, and spaces that break or repeat before a punctuation mark
        expect(text, readable).not.toMatch(/["'<>]|\.\.\.| {2}| [?!:;.,]/)
        if (tag === "fr") expect(text, readable).not.toMatch(/[^\u00a0\u202f][?!:;]/)
        if (tag === "ja" || tag === "zh-Hans") expect(text, readable).not.toMatch(/[.,?!] ?$/)
      }
    })

    test("ends sentences as the English text does", () => {
      const isSentence = (text: string) => /[.。؟？?]$/u.test(text)
      for (const [key, text] of texts) {
        if (!isSentence(englishTexts[key] ?? "") || key === "newHere") continue
        expect(isSentence(text), `${key}: ${text}`).toBe(true)
      }
    })
  },
)

test.each(translations.map(({ tag, messages }) => [tag, messages] as const))(
  "no text of %s is English by accident",
  (tag, messages) => {
    const same = Object.entries<string>(messages).filter(
      ([key, text]) => text === englishTexts[key],
    )
    const unexpected = same.filter(([key]) => !sameAsEnglish.has(`${tag} ${key}`))
    expect(unexpected).toEqual([])
  },
)
