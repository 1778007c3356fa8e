/** Finds the path at which the application mounts the actions, by reading its sources. */
import { existsSync } from "node:fs"
import { findExpressMount, stripSlash } from "./express-mount.ts"
import { bundlerFiles, detectFramework, type Framework } from "./framework.ts"
import { findNextRoute } from "./next-routes.ts"
import { type Mount, readSource, type Source } from "./sources.ts"

/** The function of each framework package that handles the actions. */
export const handlerNames: Readonly<Record<Framework, string>> = {
  express: "MiddlewareAuth",
  next: "NextAuth",
  sveltekit: "CompiledAuth",
  "solid-start": "ReactiveAuth",
  qwik: "ResumableAuth$",
}

/** Returns the mount of the actions, or undefined if the sources do not tell. */
export function findMount(sources: readonly Source[]): Mount | undefined {
  switch (detectFramework()) {
    case "express":
      return findExpressMount(sources)
    case "sveltekit":
      return findBaseOption(/\bpaths\s*:\s*\{[^}]*?\bbase\s*:\s*["'`](\/[^"'`]*)["'`]/)
    case "qwik":
      return findBaseOption(/\b(?:base|basePathname)\s*:\s*["'`](\/[^"'`]+)["'`]/)
    case "solid-start":
      return findSolidRoute(sources)
    case "next":
      return findNextRoute(sources)
    default:
      return undefined
  }
}

/** SvelteKit and Qwik put the actions below the path of the application. */
function findBaseOption(pattern: RegExp): Mount | undefined {
  for (const file of bundlerFiles.filter((name) => existsSync(name))) {
    const [, base] = pattern.exec(readSource(file)) ?? []
    if (base !== undefined && stripSlash(base) !== "/")
      return { path: `${stripSlash(base)}/auth`, file }
  }
  return undefined
}

/** The path of the catch-all route. Folders in parentheses are not part of it. */
function findSolidRoute(sources: readonly Source[]): Mount | undefined {
  const pattern = /^src\/routes\/(.*?)\/?\[\.\.\.[^\]/]+\]\.[jt]sx?$/
  const route = sources.find(
    ({ file, text }) => pattern.test(file) && text.includes(handlerNames["solid-start"]),
  )
  if (!route) return undefined
  const folder = pattern.exec(route.file)?.[1] ?? ""
  const segments = folder.split("/").filter((segment) => !/^\(.*\)$/.test(segment))
  return { path: stripSlash(`/${segments.join("/")}`), file: route.file }
}
