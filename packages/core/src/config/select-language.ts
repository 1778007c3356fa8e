/** Selects the language of pages and e-mails. The first of them loads the module. */
import { parseAcceptLanguage } from "../http/accept-language.ts"
import type { ActionRequest } from "../http/action-request.ts"
import { toHeadersInit } from "../http/incoming-request.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import english from "../languages/en.ts"
import type { Language, Messages } from "../languages/messages.ts"
import type { Logger } from "../logging/logger.ts"
import { isObject } from "../objects.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

/** The part of a request that decides the language. */
export type LanguageRequest = Pick<ActionRequest, "url" | "headers">

/** Returns the language of a response. Never rejects. */
export type SelectLanguage = (request: LanguageRequest) => Promise<Language>

export function createLanguageSelector(
  { languages, language: chooseLanguage, messages }: ResolvedConfig,
  logger: Logger,
): SelectLanguage {
  const [first = english, ...others] = languages.filter(isLanguage)
  const available = [first, ...others].map((language, index) => ({
    ...language,
    // English texts replace those that an application in JavaScript left out.
    messages: {
      ...english.messages,
      ...pickTexts(language.messages),
      ...(index === 0 && pickTexts(messages)),
    },
  }))
  const [defaultLanguage = english] = available
  const findLanguage = createLanguageFinder(available)
  return async (request) => {
    if (others.length === 0) return defaultLanguage
    const { url, headers } = request
    const ranges = parseAcceptLanguage(headers.get("accept-language"))
    try {
      const choice = (async () =>
        chooseLanguage?.(new Request(url, { headers: toHeadersInit(headers) })))()
      const chosen: unknown = await withTimeout(backgroundTimeout, choice, createTimeoutError)
      if (typeof chosen === "string") ranges.unshift(chosen)
    } catch (error) {
      logger.error(error) // a page in another language is better than none
    }
    const found = ranges.map(findLanguage).find(Boolean)
    return found ?? defaultLanguage
  }
}

const createTimeoutError = () => new TypeError("The `language` function did not return")

/** Leaves out what is no text, such as the undefined values of an application in JavaScript. */
function pickTexts(messages: Partial<Messages> = {}): Partial<Messages> {
  const texts = Object.entries(messages).filter(([, text]) => typeof text === "string")
  return Object.fromEntries(texts)
}

/** Whether a value in the option `languages` has what a language needs. `Intl` throws for invalid tags. */
export function isLanguage(value: unknown): value is Language {
  if (!isObject(value) || !isObject(value["messages"])) return false
  const { tag } = value
  return typeof tag === "string" && getWrittenLanguage(tag) !== undefined
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
