/** Adapts the templates of a framework to the version and the layout of an application that exists. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { isOlder } from "../move/required-versions.ts"
import type { Framework } from "./framework.ts"
import { listRanges, type Project } from "./project.ts"
import type { FileTexts } from "./templates.ts"

export function adaptTemplates(
  files: FileTexts,
  project: Project,
  framework: Framework,
): FileTexts {
  if (framework.name === "qwik") return adaptToQwik(files, project)
  if (framework.name === "astro") return adaptToAstro(files, project)
  return framework.name === "next" ? adaptToNext(files, project) : files
}

/** Leaves out the layout of the pages if the application has one of that name. */
function adaptToAstro(files: FileTexts, { folder }: Project): FileTexts {
  const layout = "src/layouts/Page.astro"
  return new Map([...files].filter(([path]) => path !== layout || !existsSync(join(folder, path))))
}

function adaptToQwik(files: FileTexts, { manifest }: Project): FileTexts {
  if (!manifest?.text.includes('"@qwik.dev/core"')) return files
  const rename = (text: string) =>
    text
      .replaceAll('"@builder.io/qwik-city"', '"@qwik.dev/router"')
      .replaceAll('"@builder.io/qwik"', '"@qwik.dev/core"')
  return new Map([...files].map(([path, text]) => [path, rename(text)]))
}

/** Leaves out the layout if the application has one, and names the proxy as the version and the application do. */
function adaptToNext(files: FileTexts, { folder, manifest }: Project): FileTexts {
  const adapted = new Map(files)
  const hasModule = (parent: string, pattern: RegExp) =>
    ["", "src"].some((source) => {
      const path = join(folder, source, parent)
      return existsSync(path) && readdirSync(path).some((file) => pattern.test(file))
    })
  if (hasModule("app", /^layout\.[jt]sx?$/)) adapted.delete("src/app/layout.tsx")
  const { next = "" } = listRanges(manifest?.content ?? {})
  const proxy = adapted.get("src/proxy.ts") ?? ""
  if (!isOlder(next, "16.0.0") && !hasModule("", /^middleware\.[jt]s$/)) return adapted
  adapted.delete("src/proxy.ts")
  const middleware = proxy
    .replace("auth as proxy", "auth as middleware")
    .replace("{ matcher: ", '{ runtime: "nodejs", matcher: ')
  return adapted.set("src/middleware.ts", middleware)
}
