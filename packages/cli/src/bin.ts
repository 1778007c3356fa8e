#!/usr/bin/env node
import { main } from "./main.ts"

const status = await main(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
})
await Promise.all([flushStream(process.stdout), flushStream(process.stderr)])
// The loaded configuration may have opened servers, connection pools or timers, which would keep the process alive.
process.exit(status)

/** Resolves when all earlier output has been written. */
function flushStream(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()))
}
