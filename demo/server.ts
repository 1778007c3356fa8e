/** `npm run demo`: starts the demo, prints its URLs, and stops it on Ctrl-C. */
import { relative } from "node:path"
import type { Demo } from "./demo.ts"
import { PortUnavailable } from "./listen.ts"
import { type DemoOptions, readOptions, UsageError, usage } from "./options.ts"
import { stopOnSignal } from "./shutdown.ts"

// Variables for another application must not affect this one.
for (const name of Object.keys(process.env)) {
  if (name.startsWith("AUTH_")) delete process.env[name]
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await runDemo(options)
  else console.log(usage)
} catch (error) {
  console.error(describeError(error))
  process.exitCode = 1
}

async function runDemo(options: DemoOptions): Promise<void> {
  // Help and mistakes on the command line need nothing of it.
  const { startDemo } = await import("./demo.ts")
  const demo = await startDemo(options)
  console.log(formatWelcome(demo, options))
  stopOnSignal(async () => {
    await demo.close()
    console.log("\n  Stopped. Users and sessions are stored.")
  })
}

function formatWelcome(
  { addresses: { app, tenant, social, mail } }: Demo,
  { data }: DemoOptions,
): string {
  return `
  Loam is ready. Open   ${app.origin}

  Also running
    inbox               ${app.origin}/inbox  (all mail arrives there)
    Alder ID            ${tenant.origin}  (tenant provider, OpenID Connect)
    Plaza               ${social.origin}  (social provider, OAuth 2)
    SMTP                ${mail.host}:${mail.port}
    users, sessions     ${shortenPath(data)}

  Ctrl-C stops everything.
`
}

/** Returns a path relative to the current folder if it is inside. */
function shortenPath(folder: string): string {
  const here = relative(process.cwd(), folder)
  return here.startsWith("..") ? folder : here || "."
}

/** Returns one line for errors that the user can fix, and the complete error otherwise. */
function describeError(error: unknown): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`
  if (!(error instanceof PortUnavailable)) return error
  const reason =
    error.code === "EADDRINUSE" ? "is already in use" : `cannot be used (${error.code})`
  return `Port ${error.port} ${reason}. Choose another with: npm run demo -- --port N (N to N+3 are used)`
}
