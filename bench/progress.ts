/** Shows what is being measured: on a terminal in one line that changes, elsewhere not at all. */

const { stdout } = process
const clearLine = "\r\x1b[2K"

/** Shows the current step on a terminal, until the next line. Takes no time worth measuring. */
export function showProgress(text: string): void {
  if (stdout.isTTY) stdout.write(clearLine + text.slice(0, (stdout.columns || 80) - 1))
}

/** Prints a line, on a terminal and elsewhere. */
export function printLine(text: string): void {
  if (stdout.isTTY) stdout.write(clearLine)
  console.log(text)
}
