import { expect, test } from "vitest"
import { createAssistantFiles } from "../src/assistants.ts"
import { parseCodeBlockInfo } from "../src/code-blocks.ts"
import { createHomePage } from "../src/home.ts"
import { createNavigation, guideGroups, type NavigationItem } from "../src/navigation.ts"
import { findPage, pages, readPage, readSummary } from "../src/pages.ts"

const listRoutes = ({ page, items = [] }: NavigationItem): string[] => [
  ...(page ? [page.route] : []),
  ...items.flatMap(listRoutes),
]

test("llms-full.txt has the text of every page", () => {
  const { "llms-full.txt": text = "" } = createAssistantFiles()
  const routes = [...text.matchAll(/^<!-- \/(.+\.md) -->$/gm)].map(([, route]) => route)
  expect(routes.sort()).toEqual(
    pages
      .map(({ route }) => route)
      .filter((route) => route !== "all-pages.md")
      .sort(),
  )
})

test("every page has its own route", () => {
  expect(new Set(pages.map(({ route }) => route)).size).toBe(pages.length)
  expect(pages.length).toBeGreaterThan(100)
})

test("the navigation has every page once", () => {
  const routes = createNavigation().flatMap(listRoutes)
  const expected = pages
    .map(({ route }) => route)
    .filter((route) => !["index.md", "all-pages.md"].includes(route))
  expect(routes.sort()).toEqual(expected.sort())
})

const guides = createNavigation()
  .filter(({ text }) => guideGroups.includes(text))
  .flatMap(listRoutes)
  .filter((route) => route !== "compatibility.md")

test.each(guides)(
  "%s says what it is for and shows an example before it lists anything",
  (route) => {
    const page = pages.find((each) => each.route === route)
    if (!page) throw new Error(`${route} is no page.`)
    expect(readSummary(page)).not.toBe("")
    const [beginning = ""] = readPage(page).split(/^ *```/m)
    expect(beginning).not.toMatch(/^(?:[-|] ?|\d+\. (?!\*\*))/m)
  },
)

test("llms.txt says what every page is for", () => {
  const { "llms.txt": list = "", ...files } = createAssistantFiles()
  expect(list).toMatch(
    /^# Latchkey\n\n> Latchkey .+\n\n## Start\n\n- \[Getting started\]\(\/getting-started\.md\): \S/,
  )
  const routes = [...list.matchAll(/^- \[.+\]\(\/(.+?)\)/gm)].map(([, route = ""]) => route)
  expect(Object.keys(files)).toEqual(expect.arrayContaining(routes))
  const listed = pages.filter(({ route }) => !["index.md", "all-pages.md"].includes(route))
  expect(routes.sort()).toEqual(listed.map(({ route }) => route).sort())
  expect(list.split("\n").filter((line) => line.startsWith("- ") && line.length > 450)).toEqual([])
  expect(list.match(/^- .*\(\/(?!decisions).*\.md\)$/gm) ?? []).toEqual([])
})

test.each([
  ["ts", { language: "ts" }],
  ["ts run", { language: "ts" }],
  ["ts auth.ts", { language: "ts", title: "auth.ts" }],
  [
    "tsx file=examples/qwik/src/routes/(members)/layout.tsx",
    { language: "tsx", title: "src/routes/(members)/layout.tsx" },
  ],
  [
    "ts file=examples/solid-start/src/routes/api/auth/[...auth].ts",
    { language: "ts", title: "src/routes/api/auth/[...auth].ts" },
  ],
  [
    "js file=compat/recipes/without-bundler/public/page.js",
    { language: "js", title: "public/page.js" },
  ],
])("a code block marked %s has the name of its file", (info, expected) => {
  expect(parseCodeBlockInfo(info)).toEqual(expected)
})

test("the start page has the summary, the picture, the reasons and the first example of the README", () => {
  const readme = findPage("README.md")
  if (!readme) throw new Error("README.md is no page.")
  const home = createHomePage(readPage(readme))
  expect(home).toMatch(/\n# Latchkey\n\nLatchkey [^.]+/)
  expect(home).toContain("npm create @latchkey")
  expect(home.match(/<img alt="The built-in sign-in page[^>]+>/g)).toHaveLength(2) // light and dark
  expect(home.match(/^- \*\*[^*]+\*\* /gm)).toHaveLength(3)
  expect(home).toContain("```ts server.ts")
  expect(home).toMatch(/\(docs\/express\.md\).+\(docs\/qwik\.md\)/s)
})

test("a README without an example is refused", () => {
  expect(() => createHomePage("# Latchkey\n\nText.\n\n## Why\n")).toThrow("Expected README.md")
})
