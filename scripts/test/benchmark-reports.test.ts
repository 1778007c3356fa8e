import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

test("pages and charts show the stored results of the benchmarks", () => {
  const args = ["--conditions=@latchkey/source", "bench/write-report.ts", "--check"]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" })

  expect(stderr).toBe("")
  expect(stdout.split("\n").filter((line) => line.startsWith("✗"))).toEqual([])
  expect(stdout).toContain("✓ README.md: figures is current")
  expect(stdout).toContain("✓ docs/images/performance-page.svg is current")
  expect(status).toBe(0)
})

const charts = globSync("docs/images/{performance,scaling}-*.svg")

test("charts exist", () => {
  expect(charts).toContain("docs/images/scaling-rows.svg")
})

test.each(charts)("%s can be read aloud, and loads nothing", (file) => {
  const svg = readFileSync(file, "utf8")

  expect(svg).toMatch(/role="img" aria-labelledby="title description"/)
  expect(svg).toMatch(/<title id="title">[^<]+<\/title>/)
  expect(svg).toMatch(/<desc id="description">[^<]+<\/desc>/)
  expect(svg).toContain("prefers-color-scheme: dark")
  expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(
    /<script|href|url\(|@import|:\/\//,
  )
})
