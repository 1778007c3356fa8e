/** Checks the built site, prints its problems, and fails if there are any or if there is nothing to check. */
import { join } from "node:path"
import { checkSite } from "./src/built-site.ts"
import { pages as sources } from "./src/pages.ts"

const { pages, links, problems } = checkSite(join(import.meta.dirname, "dist"))
for (const problem of problems) console.error(`✗ ${problem}`)
console.log(`site: ${pages} pages, ${links} links, ${problems.length} problems`)
process.exitCode = problems.length === 0 && pages > sources.length && links > pages ? 0 : 1
