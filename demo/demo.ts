/** The complete demo: four servers and a data folder. */
import { randomBytes } from "node:crypto"
import { createAddresses, type ServerAddresses } from "./addresses.ts"
import { logActivity } from "./app/activity-log.ts"
import { productName } from "./app/brand.ts"
import { openApplication } from "./app/open-application.ts"
import { openDataFolder } from "./data-folder.ts"
import { type Closable, closeInReverse, serve } from "./listen.ts"
import { createInbox } from "./mail/inbox.ts"
import { startSmtpServer } from "./mail/smtp-server.ts"
import type { DemoOptions } from "./options.ts"
import type { OAuthClient } from "./shared/client.ts"
import { createSocialServer } from "./social/social-server.ts"
import { createTenantServer } from "./tenant/tenant-server.ts"

export interface Demo extends Closable {
  readonly addresses: ServerAddresses
}

/**
 * Starts the demo.
 *
 * @throws PortUnavailable if a port is in use. Nothing is running then.
 */
export async function startDemo({ port, data: folder }: DemoOptions): Promise<Demo> {
  const addresses = createAddresses(port)
  const { app, tenant, social, mail } = addresses
  const data = openDataFolder(folder)
  const inbox = createInbox()
  const clients = {
    tenant: createClient("tenantidp", app.origin),
    social: createClient("socialidp", app.origin),
  }
  const application = await openApplication({ addresses, data, inbox, clients, logActivity })
  const running: Closable[] = [application]
  const startServer = async (server: Promise<Closable>) => void running.push(await server)
  try {
    await startServer(serve("localhost", app.port, application.app))
    await startServer(
      serve("127.0.0.1", tenant.port, createTenantServer(tenant.origin, clients.tenant, data)),
    )
    await startServer(
      serve("127.0.0.1", social.port, createSocialServer(social.origin, clients.social)),
    )
    await startServer(
      startSmtpServer(mail, inbox, ({ to }) => {
        logActivity(`Mail for ${to} arrived: ${app.origin}/inbox`)
      }),
    )
  } catch (error) {
    await closeInReverse(running).close()
    throw error
  }
  return { addresses, close: () => closeInReverse(running).close() }
}

/** Creates the OAuth client of a provider. The secret is not stored, because both run in this process. */
function createClient(provider: string, origin: string): OAuthClient {
  return {
    id: "loam",
    secret: randomBytes(24).toString("base64url"),
    name: productName,
    redirectUri: `${origin}/auth/callback/${provider}`,
    homeUrl: origin,
  }
}
