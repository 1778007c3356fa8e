/** The texts of all languages. That none is missing and each has its placeholders, the compiler checks. */
import { readdirSync, readFileSync } from "node:fs"
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

test("no text from right to left begins with a value", () => {
  const rightToLeft = languages.filter(({ direction }) => direction === "rtl")
  expect(rightToLeft.map(({ tag }) => tag)).toEqual(["ar", "he"])
  const texts = rightToLeft.flatMap(({ messages }) => Object.values<string>(messages))
  // Mail clients take the direction of a subject and of plain text from its first letter.
  expect(texts.filter((text) => text.startsWith("{"))).toEqual([])
})

/** The keys of the texts that are a word of the documentation. Other words occur in some text. */
const wordKeys: Readonly<Record<string, string>> = {
  "Sign in": "signInButton",
  "Sign out": "signOutButton",
  "Keep me signed in": "rememberMe",
  "Trust this device": "trustDevice",
}

/** Reads the tables of words as objects whose keys are the headings of the columns. */
function readWords(): Record<string, string>[] {
  const page = readFileSync(new URL("../../../docs/languages.md", import.meta.url), "utf8")
  const section = page.slice(
    page.indexOf("## Use the same words"),
    page.indexOf("## Add a language"),
  )
  const tables = section.split("\n\n").filter((block) => block.startsWith("| Language |"))
  return tables.flatMap((table) => {
    const rows = table
      .trim()
      .split("\n")
      .map((row) => row.slice(2, -2).split(" | "))
    const [headings = [], , ...words] = rows
    return words.map((cells) =>
      Object.fromEntries(headings.map((name, i) => [name, cells[i] ?? ""])),
    )
  })
}

test("the words in the documentation are those of the texts", () => {
  const rows = readWords()
  const tags = languages.map(({ tag }) => `\`${tag}\``)
  expect(rows.map((row) => row["Language"])).toEqual([...tags, ...tags])
  for (const [index, { tag, messages }] of [...languages, ...languages].entries()) {
    const texts: Readonly<Record<string, string>> = messages
    const readable = (text: string) => text.replaceAll("\u2011", "-").toLocaleLowerCase(tag)
    const allTexts = readable(Object.values(texts).join("\n"))
    for (const [concept, word] of Object.entries(rows[index] ?? {})) {
      if (concept === "Language" || concept === "Form of address") continue
      const key = wordKeys[concept]
      if (key) expect([tag, concept, word]).toEqual([tag, concept, texts[key]])
      else expect(allTexts, `${tag} ${concept}`).toContain(readable(word))
    }
  }
})
