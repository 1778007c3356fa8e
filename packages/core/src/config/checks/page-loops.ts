/** Finds pages of the application that name each other's actions. */
import { AuthError } from "../../errors.ts"
import { parseRoute } from "../../http/route.ts"
import type { AuthAction } from "../../types.ts"
import { pageActions } from "../custom-pages.ts"
import type { ResolvedConfig } from "../resolved-config.ts"

/** Returns an error for each loop in which visitors are sent from action to action. */
export function findPageLoops(config: ResolvedConfig): AuthError[] {
  const names = Object.keys(pageActions)
  return names.flatMap((name) => {
    const loop = followPages(name, config)
    // A loop is reported once, for its first page.
    if (loop === undefined || names.find((each) => loop.includes(each)) !== name) return []
    const [first = "", second = first] = loop
    return new AuthError({
      option: `pages.${first}`,
      expected: `\`pages.${first}\` to be a page of your application`,
      received: `the action \`${pageActions[second]}\`, which leads back`,
      hint: "Write the path of a page that you have, or leave it out for the built-in page.",
    })
  })
}

/** Returns the names of the pages from a page back to itself; undefined if no way leads back. */
function followPages(start: string, config: ResolvedConfig): readonly string[] | undefined {
  const path = [start]
  while (path.length <= Object.keys(pageActions).length) {
    const next = findNextPage(path.at(-1) ?? "", config)
    if (next === start) return path
    if (next === undefined) return undefined
    path.push(next)
  }
  return undefined
}

function findNextPage(
  name: string,
  { pages, basePath, authUrlOrigin = "https://own.invalid" }: ResolvedConfig,
): string | undefined {
  const page = { ...pages }[name as keyof typeof pages]
  // The button of the built-in error page.
  if (page === undefined) return name === "error" ? "signIn" : undefined
  const { origin, pathname } = new URL(page, authUrlOrigin)
  const action: AuthAction | undefined =
    origin === authUrlOrigin ? parseRoute(pathname, basePath)?.action : undefined
  return Object.keys(pageActions).find((each) => pageActions[each] === action)
}
