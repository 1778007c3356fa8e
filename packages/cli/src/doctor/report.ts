/** Findings as a person reads them. */
import type { Finding } from "./finding.ts"

const marks = { error: "✗", warning: "!", good: "✓", skipped: "–" } as const
const order = ["error", "warning", "skipped", "good"] as const

/** One paragraph per finding, the worst first. */
export function report(file: string, findings: readonly Finding[]): string {
  const sorted = order.flatMap((level) => findings.filter((finding) => finding.level === level))
  const count = (level: Finding["level"]) => findings.filter((f) => f.level === level).length
  const summary = `${file}: ${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}`
  return [...sorted.map(paragraph), "", plain(summary)].join("\n")
}

/** What steers a terminal, and what turns the direction of writing: databases and providers wrote some of the words. */
const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

function plain(text: string): string {
  return text.replace(controls, " ")
}

function paragraph({ level, code, what, fix }: Finding): string {
  const line = plain(`${marks[level]} ${what}`)
  if (level === "good") return line
  return fix === undefined ? `${line} [${code}]` : `${line} [${code}]\n  → ${plain(fix)}`
}

function counted(count: number, word: string): string {
  return `${count === 0 ? "no" : count} ${word}${count === 1 ? "" : "s"}`
}
