#!/usr/bin/env node
import { main } from "./main.ts"

const status = await main(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
})
await Promise.all([flushStream(process.stdout), flushStream(process.stderr)])
// A configuration that was loaded may listen, hold a pool or have set timers, which would keep the process alive.
process.exit(status)

/** Resolves when everything that was written before has left the process. */
function flushStream(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write("", () => resolve()))
}
