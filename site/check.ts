/** Checks the built site, prints its problems, and fails if there are any or if there is nothing to check. */
import { join } from "node:path"
import { checkSite } from "./src/built-site.ts"
import { pages as sources } from "./src/pages.ts"

const report = checkSite(join(import.meta.dirname, "dist"))
const { pages, links } = report
const problems = [...report.problems]
// One more is the page for URLs that lead nowhere.
const expectedPages = sources.length + 1
if (pages !== expectedPages) {
  problems.push(
    `Expected ${expectedPages} pages: those of site/src/pages.ts, and 404.html. Received: ${pages}. Add new Markdown files there, or to srcExclude in site/.vitepress/config.ts.`,
  )
}
for (const problem of problems) console.error(`✗ ${problem}`)
console.log(`site: ${pages} pages, ${links} links, ${problems.length} problems`)
process.exitCode = problems.length === 0 && links > pages ? 0 : 1
