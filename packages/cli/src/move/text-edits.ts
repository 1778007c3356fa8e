/** Edits of a text by position, so that everything else keeps its formatting. */

/** Replaces the characters from `start` up to `end`. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Applies edits. Insertions at the same position keep their order.
 *
 * @throws RangeError if edits overlap
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  const overlapping = sorted.find(({ start }, index) => start < (sorted[index - 1]?.end ?? 0))
  if (overlapping) throw new RangeError(`Two edits change "${overlapping.text}"`)
  const pieces = sorted.map((edit, index) => {
    const previousEnd = sorted[index - 1]?.end ?? 0
    return text.slice(previousEnd, edit.start) + edit.text
  })
  return pieces.join("") + text.slice(sorted.at(-1)?.end ?? 0)
}
