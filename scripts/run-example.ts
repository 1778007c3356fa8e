/**
 * `npm run example <name>`: installs and builds an example application from the packed packages, and starts it together
 * with Alder ID, the identity provider of the demo. The npm script builds and packs the packages before.
 */
import { randomBytes } from "node:crypto"
import { parseArgs } from "node:util"
import { openDataFolder } from "../demo/data-folder.ts"
import { type Closable, PortUnavailable, serve } from "../demo/listen.ts"
import type { OAuthClient } from "../demo/shared/client.ts"
import { stopOnSignal } from "../demo/shutdown.ts"
import { createTenantServer } from "../demo/tenant/tenant-server.ts"
import { findFreePort, startServer } from "./applications/application-server.ts"
import { buildApplication } from "./applications/build-application.ts"
import { type Application, applications, findApplication } from "./applications/catalogue.ts"

const usage = `Usage: npm run example <name> [-- --port N]

  <name>     ${applications.map(({ name }) => name).join(", ")}
  --port N   port of the application (3000); the next one is the identity provider's`

/** Thrown for an invalid command line. */
class UsageError extends Error {}

try {
  const { application, port } = parseArguments()
  await startExample(application, port)
} catch (error) {
  if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`)
  else if (error instanceof PortUnavailable)
    console.error(`Port ${error.port} is taken. Choose another with --port N.`)
  else console.error(error)
  process.exitCode = 1
}

function parseArguments(): { application: Application; port: number } {
  const { values, positionals } = parseArgs({
    options: { port: { type: "string", default: "3000" } },
    allowPositionals: true,
  })
  const [name = ""] = positionals
  const application = findApplication(name)
  if (!application) throw new UsageError(name ? `There is no example "${name}".` : "Which example?")
  const port = Number(values.port)
  if (!(port >= 1 && port < 65_535))
    throw new UsageError(`--port must be a number, not "${values.port}".`)
  return { application, port }
}

async function startExample(application: Application, port: number): Promise<void> {
  for (const requiredPort of [port, port + 1]) {
    if ((await findFreePort(requiredPort)) !== requiredPort) {
      throw new PortUnavailable(requiredPort, "EADDRINUSE", undefined)
    }
  }
  const origin = `http://localhost:${port}`
  const address = { port, origin }
  console.log(
    `\n  ${application.title}: installing and building. The first time takes up to a minute …`,
  )
  const folder = await buildApplication({ application, variant: "example", address })
  const { tenant, env } = await openTenant(application, address)
  const { DATABASE_URL = "file:app.db" } = process.env
  const serverEnv = { ...application.runEnv(address), ...env, DATABASE_URL }
  const server = await startServer(folder, port, serverEnv).catch(async (error: unknown) => {
    await tenant.close()
    throw error
  })
  console.log(`
  ${application.title} is ready. Open   ${origin}

  Alder ID            ${env.AUTH_TENANTIDP_ISSUER}
  built in            ${folder}

  Ctrl-C stops everything.
`)
  stopOnSignal(async () => {
    await server.stop()
    await tenant.close()
  })
}

/** Starts Alder ID on the next port, under another host name, because cookies ignore ports. */
async function openTenant(
  { basePath }: Application,
  { port, origin }: { port: number; origin: string },
) {
  const data = openDataFolder("node_modules/.cache/applications/data")
  const issuer = `http://127.0.0.1:${port + 1}`
  const client: OAuthClient = {
    id: "example",
    secret: randomBytes(24).toString("base64url"),
    name: "The example",
    redirectUri: `${origin}${basePath}/callback/tenantidp`,
    homeUrl: origin,
  }
  const tenant: Closable = await serve(
    "127.0.0.1",
    port + 1,
    createTenantServer(issuer, client, data),
  )
  const env = {
    AUTH_SECRET: data.readOrCreate("secret", () => randomBytes(33).toString("base64")),
    AUTH_URL: origin,
    AUTH_TENANTIDP_ID: client.id,
    AUTH_TENANTIDP_SECRET: client.secret,
    AUTH_TENANTIDP_ISSUER: issuer,
  }
  return { tenant, env }
}
