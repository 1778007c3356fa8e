/** The name of the application in pages and messages. */
import type { Theme } from "../types.ts"

/** Returns the name if it is a text that fits into one line: a subject line may contain it. */
export function parseApplicationName(name: unknown): string | undefined {
  if (typeof name !== "string") return undefined
  const text = name.trim()
  return /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,64}$/u.test(text) ? text : undefined
}

/** Returns the theme with its name, or without it if the name is invalid. */
export function resolveTheme({ name, ...theme }: Theme): Theme {
  const parsedName = parseApplicationName(name)
  return parsedName === undefined ? theme : { ...theme, name: parsedName }
}
