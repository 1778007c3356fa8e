#!/usr/bin/env node
import { main } from "./main.ts"
import { createProgress } from "./progress.ts"
import { createPrompt } from "./prompt.ts"

// A terminal that does not know its size says 0, for which questions would be a column of letters.
if (process.stdout.columns === 0) process.stdout.columns = 80
if (process.stdout.rows === 0) process.stdout.rows = 24

const progress = createProgress(process.stderr)
const status = await main(process.argv.slice(2), {
  out: (text) => writeLine(process.stdout, text),
  err: (text) => writeLine(process.stderr, text),
  progress: progress.update,
  ...(process.stdin.isTTY && process.stdout.isTTY && createPrompt(process.stdin, process.stdout)),
})
await Promise.all([flushStream(process.stdout), flushStream(process.stderr)])
// The loaded configuration may have opened servers, connection pools or timers, which would keep the process alive.
process.exit(status)

function writeLine(stream: NodeJS.WriteStream, text: string): void {
  progress.end()
  stream.write(`${text}\n`)
}

/** Resolves when all earlier output has been written. */
function flushStream(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()))
}
