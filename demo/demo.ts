/** The whole demo: four servers and a folder. */
import { randomBytes } from "node:crypto"
import { productName } from "./app/brand.ts"
import { chronicle } from "./app/chronicle.ts"
import { openApplication } from "./app/open.ts"
import { openDataFolder } from "./data-folder.ts"
import { closingAll, type Running, serve } from "./listen.ts"
import { createLetters } from "./mail/letters.ts"
import { openPostOffice } from "./mail/post-office.ts"
import type { Options } from "./options.ts"
import { type Places, placesFrom } from "./places.ts"
import type { Client } from "./shared/client.ts"
import { createSocial } from "./social/social.ts"
import { createTenant } from "./tenant/tenant.ts"

/** A demo that runs. */
export interface Demo extends Running {
  readonly places: Places
}

/**
 * Starts everything.
 *
 * @throws PortUnavailable when one of the ports is taken; nothing runs then
 */
export async function startDemo({ port, data: folder }: Options): Promise<Demo> {
  const places = placesFrom(port)
  const { app, tenant, social, mail } = places
  const data = openDataFolder(folder)
  const letters = createLetters()
  const clients = {
    tenant: clientOf("tenantidp", app.origin),
    social: clientOf("socialidp", app.origin),
  }
  const application = await openApplication({ places, data, letters, clients, chronicle })
  const running: Running[] = [application]
  const open = async (server: Promise<Running>) => void running.push(await server)
  try {
    await open(serve("localhost", app.port, application.app))
    await open(serve("127.0.0.1", tenant.port, createTenant(tenant.origin, clients.tenant, data)))
    await open(serve("127.0.0.1", social.port, createSocial(social.origin, clients.social)))
    await open(
      openPostOffice(mail, letters, ({ to }) => {
        chronicle(`Mail for ${to} has arrived: ${app.origin}/inbox`)
      }),
    )
  } catch (error) {
    await closingAll(running).close()
    throw error
  }
  return { places, close: () => closingAll(running).close() }
}

/** The application as one of the providers knows it. Both live in this process: the secret needs no file. */
function clientOf(provider: string, origin: string): Client {
  return {
    id: "loam",
    secret: randomBytes(24).toString("base64url"),
    name: productName,
    redirectUri: `${origin}/auth/callback/${provider}`,
    home: origin,
  }
}
