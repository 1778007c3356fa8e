/** Formats findings for people. */
import type { Finding } from "./finding.ts"

const levelSymbols = { error: "✗", warning: "!", good: "✓", skipped: "–" } as const
const levelOrder = ["error", "warning", "skipped", "good"] as const

/** Formats each finding as a paragraph, the worst first. */
export function formatReport(
  file: string,
  findings: readonly Finding[],
  isProduction: boolean,
): string {
  const sorted = levelOrder.flatMap((level) =>
    findings.filter((finding) => finding.level === level),
  )
  const countLevel = (level: Finding["level"]) => findings.filter((f) => f.level === level).length
  const skipped = countLevel("skipped")
  const summary =
    `${file}: ${formatCount(countLevel("error"), "error")}, ${formatCount(countLevel("warning"), "warning")}` +
    (skipped === 0 ? "" : `, ${formatCount(skipped, "check")} skipped`)
  const scope = isProduction
    ? []
    : ["Production was not checked. Before you deploy, add --production."]
  return [...sorted.map(formatFinding), "", stripControlCharacters(summary), ...scope].join("\n")
}

/** Control and bidirectional characters, which texts of databases and providers may contain. */
const controlCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu

function stripControlCharacters(text: string): string {
  return text.replace(controlCharacters, " ")
}

function formatFinding({ level, code, what, fix }: Finding): string {
  const line = stripControlCharacters(`${levelSymbols[level]} ${what}`)
  if (level === "good") return line
  return fix === undefined
    ? `${line} [${code}]`
    : `${line} [${code}]\n  → ${stripControlCharacters(fix)}`
}

function formatCount(count: number, word: string): string {
  return `${count === 0 ? "no" : count} ${word}${count === 1 ? "" : "s"}`
}
