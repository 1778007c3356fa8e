/** Formats edits as a unified diff, as `git apply` reads it. */
import { applyEdits, sortEdits, type TextEdit } from "./text-edits.ts"

const contextLines = 3

/**
 * Lines from `first` up to `end`, counted from 0, and the edits in them; none if `first` is `end`: lines are inserted.
 */
interface ChangedLines {
  readonly first: number
  readonly end: number
  readonly edits: readonly TextEdit[]
}

/** @param path the file, as it is printed */
export function formatDiff(path: string, before: string, edits: readonly TextEdit[]): string {
  const starts = findLineStarts(before)
  const lineOf = (position: number) => starts.findLastIndex((start) => start <= position)
  const changes = mergeChanges(
    sortEdits(edits).map((edit) => {
      const first = lineOf(edit.start)
      const isWholeLines =
        edit.start === edit.end && starts.includes(edit.start) && edit.text.endsWith("\n")
      return { first, end: isWholeLines ? first : lineOf(edit.end) + 1, edits: [edit] }
    }),
    1,
  )
  const hunks = mergeChanges(changes, 2 * contextLines + 1)
  let offset = 0
  const texts = hunks.map((hunk) => {
    const first = Math.max(hunk.first - contextLines, 0)
    const end = Math.min(hunk.end + contextLines, starts.length)
    const lines = formatLines(before, starts, {
      first,
      end,
      changes: changes.filter((change) => change.first >= hunk.first && change.end <= hunk.end),
    })
    const removed = lines.filter((line) => !line.startsWith("+")).length
    const added = lines.filter((line) => !line.startsWith("-")).length
    const header = `@@ -${first + 1},${removed} +${first + 1 + offset},${added} @@`
    offset += added - removed
    return [header, ...lines].join("\n")
  })
  return [`--- a/${path}`, `+++ b/${path}`, ...texts].join("\n")
}

/** Merges changes with fewer than `gap` lines between them; with 1, adjacent ones. */
function mergeChanges(changes: readonly ChangedLines[], gap: number): ChangedLines[] {
  const merged: ChangedLines[] = []
  for (const change of changes) {
    const last = merged.at(-1)
    if (last && change.first < last.end + gap) {
      merged[merged.length - 1] = {
        first: last.first,
        end: Math.max(last.end, change.end),
        edits: [...last.edits, ...change.edits],
      }
    } else merged.push(change)
  }
  return merged
}

interface Hunk {
  readonly first: number
  readonly end: number
  readonly changes: readonly ChangedLines[]
}

function formatLines(before: string, starts: readonly number[], hunk: Hunk): string[] {
  const slice = (first: number, end: number) =>
    before.slice(starts[first] ?? before.length, starts[end] ?? before.length)
  const lines: string[] = []
  let next = hunk.first
  for (const change of hunk.changes) {
    const from = starts[change.first] ?? before.length
    const old = slice(change.first, change.end)
    const moved = change.edits.map(({ start, end, text }) => ({
      start: start - from,
      end: end - from,
      text,
    }))
    lines.push(...prefixLines(" ", slice(next, change.first)), ...prefixLines("-", old))
    lines.push(...prefixLines("+", applyEdits(old, moved)))
    next = change.end
  }
  return [...lines, ...prefixLines(" ", slice(next, hunk.end))]
}

function prefixLines(prefix: string, text: string): string[] {
  if (text === "") return []
  const lines = text.replace(/\n$/, "").split("\n")
  return lines.map((line) => prefix + line.replace(/\r$/, ""))
}

function findLineStarts(text: string): number[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return starts.at(-1) === text.length && text !== "" ? starts.slice(0, -1) : starts
}
