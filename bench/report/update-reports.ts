import { execFileSync } from "node:child_process"

/** Writes all pages and charts from the stored results. Counts test cases, so it needs the sources of the packages. */
export function updateReports(): void {
  const args = ["--conditions=@latchkey/source", "bench/write-report.ts"]
  execFileSync(process.execPath, args, { stdio: "inherit" })
}
