/** Selects one of the languages of an application. */
import english from "../languages/en.ts"
import type { Language, Messages } from "./messages.ts"

/** The options of an application. Those of an application in JavaScript may be invalid. */
export interface LanguageOptions {
  readonly languages: readonly unknown[]
  /** Texts that replace those of the first language. */
  readonly messages?: Partial<Messages> | undefined
}

/**
 * Returns the language for a visitor.
 *
 * @param chosen the language range (RFC 4647) that the application chose, if it did
 * @param acceptLanguage the header of this name, which says what the browser prefers
 */
export type SelectLanguage = (chosen?: unknown, acceptLanguage?: string | null) => Language

/** Creates the function that selects the language of a visitor: the first one if there is none that they prefer. */
export function createLanguageSelector({ languages, messages }: LanguageOptions): SelectLanguage {
  const [first = english, ...others] = languages.filter(isLanguage)
  const firstLanguage = completeLanguage(first, messages)
  const available = [firstLanguage, ...others.map((language) => completeLanguage(language))]
  const findLanguage = createLanguageFinder(available)
  return (chosen, acceptLanguage = null) => {
    const preferred = parseAcceptLanguage(acceptLanguage)
    const ranges = typeof chosen === "string" ? [chosen, ...preferred] : preferred
    return ranges.map(findLanguage).find(Boolean) ?? firstLanguage
  }
}

/** Returns a language in which English texts replace those that an application in JavaScript left out. */
const completeLanguage = (language: Language, messages?: Partial<Messages>): Language => ({
  ...language,
  messages: { ...english.messages, ...pickTexts(language.messages), ...pickTexts(messages) },
})

/** Leaves out what is no text, such as the undefined values of an application in JavaScript. */
function pickTexts(messages: Partial<Messages> = {}): Partial<Messages> {
  const texts = Object.entries(messages).filter(([, text]) => typeof text === "string")
  return Object.fromEntries(texts)
}

/** Whether a value in the option `languages` has what a language needs. `Intl` throws for invalid tags. */
export function isLanguage(value: unknown): value is Language {
  const { tag, messages }: Partial<Record<string, unknown>> = Object(value)
  const hasMessages = typeof messages === "object" && messages !== null && !Array.isArray(messages)
  return hasMessages && typeof tag === "string" && getWrittenLanguage(tag) !== undefined
}

/**
 * Returns a function that finds the language for a range by shortening it from the end (lookup of RFC 4647 section 3.4).
 * Otherwise any language that is written alike, such as `de-AT` for `de-CH` and `zh-Hans` for `zh-CN`.
 */
export function createLanguageFinder<Available extends Pick<Language, "tag">>(
  available: readonly Available[],
): (range: string) => Available | undefined {
  // Once, because a browser may ask for many languages.
  const candidates = available.map((language) => ({
    language,
    prefix: `${language.tag}-`.toLowerCase(),
    written: getWrittenLanguage(language.tag),
  }))
  const longestFirst = [...candidates].sort((a, b) => b.prefix.length - a.prefix.length)
  return (range) => {
    const text = `${range}-`.toLowerCase()
    const longest = longestFirst.find(({ prefix }) => text.startsWith(prefix))
    if (longest) return longest.language
    const written = getWrittenLanguage(range)
    return candidates.find((each) => written && each.written === written)?.language
  }
}

/** Returns the language with its script, which is inferred if it is missing; undefined for invalid tags. */
function getWrittenLanguage(tag: string): string | undefined {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return `${language}-${script}`
  } catch {
    return undefined
  }
}

/** The maximum number of entries that are read: browsers send a few. */
const maxRanges = 32
const rangePattern =
  /^([a-z]{1,8}(?:-[a-z\d]{1,8})*)[\t ]*(?:;[\t ]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i

/**
 * Parses the header `Accept-Language` (RFC 9110 section 12.5.4). Returns the preferred language ranges, best
 * first. Malformed entries are skipped, and so is `*`, which expresses no preference.
 */
export function parseAcceptLanguage(header: string | null): string[] {
  const entries = (header ?? "").split(",", maxRanges).flatMap((entry) => {
    const [, range, quality = "1"] = rangePattern.exec(entry.trim()) ?? []
    return range !== undefined && Number(quality) > 0 ? [{ range, quality: Number(quality) }] : []
  })
  return entries.sort((a, b) => b.quality - a.quality).map(({ range }) => range)
}
