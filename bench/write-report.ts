/**
 * `npm run bench:report`: writes the tables, charts and figures of the documentation from the stored results of the
 * benchmarks, without measuring. With `--check` it only compares them.
 */
import { readFileSync } from "node:fs"
import { hostileIdTokens } from "@latchkey/testing/provider"
import { writeGeneratedFile, writeGeneratedSection } from "../scripts/generated-sections.ts"
import { renderCharts as renderGrowthCharts } from "./growth/charts.ts"
import { renderProcessGrowth } from "./growth/process/report.ts"
import { readResults as readProcessGrowthResults } from "./growth/process/results.ts"
import { type GrowthResults, renderMarkdown as renderGrowthMarkdown } from "./growth/report.ts"
import { renderLoad } from "./load/report.ts"
import { renderCharts } from "./report/charts.ts"
import { renderComparison, renderFigures } from "./report/figures.ts"
import { renderSections } from "./report/render-sections.ts"
import { readResults } from "./report/results.ts"

const storedResults = readResults()
const { requests: results } = storedResults
const growthResults: GrowthResults = JSON.parse(readFileSync("bench/growth/results.json", "utf8"))
const forgedTokenCount = Object.keys(hostileIdTokens).length

for (const [name, text] of Object.entries(renderSections(storedResults)))
  writeGeneratedSection("docs/performance.md", name, text)
writeGeneratedSection("docs/scaling.md", "measurements", renderGrowthMarkdown(growthResults))
writeGeneratedSection("docs/scaling.md", "growth", renderProcessGrowth(readProcessGrowthResults()))
writeGeneratedSection(
  "docs/scaling.md",
  "load",
  storedResults.load ? renderLoad(storedResults.load) : "Not measured.",
)
writeGeneratedSection("README.md", "figures", renderFigures(results, forgedTokenCount))
writeGeneratedSection("docs/comparison.md", "figures", renderComparison(results, forgedTokenCount))
const charts = { ...renderCharts(results), ...renderGrowthCharts(growthResults) }
for (const [name, svg] of Object.entries(charts)) writeGeneratedFile(`docs/images/${name}`, svg)
