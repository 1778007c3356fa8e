#!/usr/bin/env node
/** `npm create @latchkey`: runs `latchkey init` with the same arguments. */
const cli = import.meta.resolve("@latchkey/cli/package.json")
process.argv.splice(2, 0, "init")
await import(new URL("dist/bin.js", cli).href)
