/** `npm run demo`: starts the demo, says what to open, and ends it again. */
import { relative } from "node:path"
import { type Demo, startDemo } from "./demo.ts"
import { PortUnavailable } from "./listen.ts"
import { type DemoOptions, readOptions, UsageError, usage } from "./options.ts"
import { stopOnSignal } from "./shutdown.ts"

// What the shell holds for another application would get into this one's configuration.
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
  const demo = await startDemo(options)
  console.log(formatWelcome(demo, options))
  stopOnSignal(async () => {
    await demo.close()
    console.log("\n  Stopped. Users and sessions are kept.")
  })
}

function formatWelcome(
  { addresses: { app, tenant, social, mail } }: Demo,
  { data }: DemoOptions,
): string {
  return `
  Loam is ready. Open   ${app.origin}

  Its surroundings
    inbox               ${app.origin}/inbox  (mail to anybody arrives there)
    Alder ID            ${tenant.origin}  (tenant provider, OpenID Connect)
    Plaza               ${social.origin}  (social provider, OAuth 2)
    SMTP                ${mail.host}:${mail.port}
    users, sessions     ${shortenPath(data)}

  Ctrl-C stops everything.
`
}

/** A folder as it is written from here, unless it is elsewhere. */
function shortenPath(folder: string): string {
  const here = relative(process.cwd(), folder)
  return here.startsWith("..") ? folder : here || "."
}

/** What went wrong in one line, where it is something to put right; else everything there is to know. */
function describeError(error: unknown): unknown {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`
  if (!(error instanceof PortUnavailable)) return error
  const reason = error.code === "EADDRINUSE" ? "is taken" : `cannot be used (${error.code})`
  return `Port ${error.port} ${reason}. Choose another with: npm run demo -- --port N (N to N+3 are used)`
}
