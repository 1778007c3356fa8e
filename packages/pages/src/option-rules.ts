/** The entry `@latchkey/pages/option-rules`: the rules for options of pages, for development mode and tools. */
import english from "./languages/en.ts"

export { isLanguage } from "./messages/select-language.ts"
export { contrastRules, type ThemeRule, themeRules } from "./theme/theme-rules.ts"

/** Returns the names of texts that do not exist, or lack a placeholder of the English text. */
export function findInvalidMessages(messages: Readonly<Record<string, unknown>>): string[] {
  const findPlaceholders = (text: unknown) => String(text).match(/\{\w+\}/g) ?? []
  const names: Readonly<Record<string, string>> = english.messages
  return Object.entries(messages).flatMap(([name, text]) => {
    const isKnown = Object.hasOwn(names, name) && typeof text === "string"
    const isComplete =
      isKnown && findPlaceholders(names[name]).every((placeholder) => text.includes(placeholder))
    return isComplete ? [] : name
  })
}
