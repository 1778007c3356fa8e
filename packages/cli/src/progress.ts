/** Shows how far a long operation is. */

/** The part of an output stream that is used. */
export interface ProgressStream {
  write(text: string): unknown
  readonly isTTY?: boolean
  /** 0 if the terminal does not say. */
  readonly columns?: number
}

/** The progress of one operation at a time. */
export interface Progress {
  /** Shows the current step, in place of the one before. */
  update(text: string): void
  /** Ends the operation, so that other output can follow. */
  end(): void
}

/** How often a terminal is updated, and how often a line is written elsewhere, in milliseconds. */
const terminalInterval = 200
const lineInterval = 10_000

/**
 * Creates the display. A terminal has one line that changes, and disappears at the end. Elsewhere, such as in a log,
 * lines are written while an operation takes longer than ten seconds.
 */
export function createProgress(stream: ProgressStream): Progress {
  const interval = stream.isTTY ? terminalInterval : lineInterval
  let step = ""
  let startedAt = 0
  let shownAt = 0
  let timer: NodeJS.Timeout | undefined

  function show(): void {
    shownAt = Date.now()
    const line = `${step} (${Math.round((shownAt - startedAt) / 1000)} s)`
    if (stream.isTTY) stream.write(`\r\x1b[2K${line.slice(0, (stream.columns || 80) - 1)}`)
    else stream.write(`${line}\n`)
  }

  return {
    update(text) {
      step = text
      if (timer === undefined) {
        startedAt = Date.now()
        shownAt = stream.isTTY ? 0 : startedAt
        timer = setInterval(show, interval).unref()
      }
      // A synchronous database lets no timer run.
      if (Date.now() - shownAt >= interval) show()
    },
    end() {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      if (stream.isTTY) stream.write("\r\x1b[2K")
    },
  }
}
