/** How the search of the site reads words and orders what it finds. MiniSearch, which searches, comes with VitePress. */
import { stemmer } from "stemmer"
import type { DefaultTheme } from "vitepress"

/** Words of questions that say nothing about the page that answers them. */
const stopWords = new Set(
  `a about add after again all also an and any are as at be because been but by can cannot change could did do does for
  from get gets had has have having how i if in instead into is it its just like make makes me my no not of on one only
  or other our should so some such than that the their them then there these they this to too use uses using want was
  we were what when where which while who whose why will with without work works would you your`.split(
    /\s+/,
  ),
)

/** Words with several spellings, in questions and on pages, and the one that stands for all of them. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/\bcurrent user\b/gi, "signedin"],
  [/\bsigning in and out\b/gi, "signin signout"],
  [/\b(?:sign|log)(?:s|ing)?[- ]?(in|out)\b/gi, "sign$1"],
  [/\b(?:signed|logged)[- ](in|out)\b/gi, "signed$1"],
  [/\be-mail/gi, "email"],
  [/\bnext-?auth(?:\.js)?\b/gi, "nextauth"],
  [/\b(auth|next|node)\.js\b/gi, "$1js"],
  [/\bauth_(?=[a-z])/gi, "auth"],
  [/\brate[- ]limit/gi, "attempt limit"],
  [/\bexpir(?:e|es|y|ation)\b/gi, "lifetime"],
]

/** Pages that mention many things, and those for special cases: the others come first, and decisions last. */
const seldomMeant: readonly (readonly [RegExp, number])[] = [
  [/^\/(?:changelog|contributing|architecture|decisions\/|security\/)/, 0.1],
  [/^\/(?:performance|scaling|compatibility|dependencies|packages\/|errors\/)/, 0.4],
  [/^\/(?:migrating|configuration|adapters|logout)/, 0.7],
]

/** Splits a text or a question into words. */
function tokenize(text: string): string[] {
  const unified = spellings.reduce((all, [pattern, word]) => all.replaceAll(pattern, word), text)
  return unified.split(/[^\p{L}\p{N}]+/u)
}

/** Returns the stem of a word; nothing for a word that says nothing. */
function processTerm(term: string): string | undefined {
  const word = term.toLowerCase()
  return stopWords.has(word) ? undefined : stemmer(word)
}

/**
 * Adds the options of MiniSearch to those of VitePress' search, for the index and for searches.
 *
 * VitePress would write the functions into each page as text, which the policy of the pages does not permit to run. It
 * leaves out properties that are not enumerable, so the theme adds the options in the browser.
 */
export function addSearchOptions<T extends object>(search: T): T {
  return Object.defineProperty(search, "miniSearch", { value: miniSearch })
}

const miniSearch: DefaultTheme.LocalSearchOptions["miniSearch"] = {
  options: { processTerm, tokenize },
  searchOptions: {
    boost: { title: 4, titles: 1, text: 1 },
    weights: { prefix: 0.3, fuzzy: 0.2 },
    prefix: (stem) => stem.length >= 4,
    fuzzy: (stem) => stem.length >= 5 && 1,
    boostDocument: (id, _stem, { titles = [] } = {}) =>
      (seldomMeant.find(([pattern]) => pattern.test(id))?.[1] ?? 1) *
      (isBeginning(titles) ? 1.5 : 1),
  },
}

/** Whether a section has no headings above its own: it is the beginning of its page. */
function isBeginning(titles: unknown): boolean {
  return Array.isArray(titles) && titles.length === 0
}
