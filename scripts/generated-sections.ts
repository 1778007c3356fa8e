/** Writes generated files, and generated sections of Markdown files between two marker comments. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"

/**
 * Replaces the text between `<!-- <name>: begin … -->` and `<!-- <name>: end -->`. With `--check` on the command line
 * it writes nothing, and a difference sets the exit status.
 *
 * @throws TypeError if the file has no such markers
 */
export function writeGeneratedSection(file: string, name: string, text: string): void {
  const before = readFileSync(file, "utf8")
  const section = new RegExp(
    `(<!-- ${name}: begin[^>]*-->\\n)(?:.*\\n)??(<!-- ${name}: end -->)`,
    "s",
  )
  if (!section.test(before)) throw new TypeError(`${file} has no markers for ${name}`)
  const after = before.replace(section, (_, begin, end) => `${begin}\n${text.trim()}\n\n${end}`)
  writeIfChanged(file, `${file}: ${name}`, before, after)
}

/** Writes a whole file, or with `--check` compares it. */
export function writeGeneratedFile(file: string, text: string): void {
  writeIfChanged(file, file, existsSync(file) ? readFileSync(file, "utf8") : undefined, text)
}

function writeIfChanged(
  file: string,
  title: string,
  before: string | undefined,
  after: string,
): void {
  const isCurrent = after === before
  if (process.argv.includes("--check")) {
    console.log(`${isCurrent ? "✓" : "✗"} ${title} ${isCurrent ? "is current" : "is stale"}`)
    if (!isCurrent) process.exitCode = 1
  } else {
    writeFileSync(file, after)
    console.log(`${title} ${isCurrent ? "was current" : "written"}`)
  }
}
