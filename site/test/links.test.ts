import { expect, test } from "vitest"
import { resolveLink, rewriteLinks } from "../src/links.ts"

test.each([
  ["docs/sessions.md", "errors.md#warnings", "/errors.md#warnings"],
  ["docs/errors/MissingSecret.md", "../deployment.md", "/deployment.md"],
  ["docs/migrating.md", "../packages/cli#latchkey-move", "/packages/cli.md#latchkey-move"],
  ["packages/sql/README.md", "../core", "/packages/core.md"],
  ["packages/sql/README.md", "../../README.md", "/index.md"],
  ["README.md", "examples", "/examples.md"],
  ["docs/errors.md", "errors/AuthError.md", "/errors/AuthError.md"],
  ["README.md", "docs/security/cases.md", "/security/cases.md"],
  ["docs/sessions.md", "#changing-a-session", "#changing-a-session"],
  ["docs/sessions.md", "https://example.com/a.md", "https://example.com/a.md"],
])("a link in %s to %s leads to %s", (file, href, target) => {
  expect(resolveLink(file, href)).toBe(target)
})

test("a link to a file that is no page leads nowhere while the repository has no public address", () => {
  expect(resolveLink("docs/security/cases.md", "../../packages/core/src/auth.ts")).toBeUndefined()
})

test("links in Markdown are rewritten, but not code and images", () => {
  const markdown = [
    "[`errors`](errors.md) and [source](../packages/core/src/auth.ts), `[x](errors.md)`",
    "```text",
    "[x](errors.md)",
    "```",
    "![a](errors.md)",
  ]
  expect(rewriteLinks(markdown.join("\n"), "docs/sessions.md").split("\n")).toEqual([
    "[`errors`](/errors.md) and source, `[x](errors.md)`",
    ...markdown.slice(1),
  ])
})
