/** The sites of a library, each in process and on its own port. */
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { Library, Site } from "../libraries/library.ts"
import type { Sites } from "../workloads/create-workloads.ts"

/** Listening sites. */
export interface ListeningSites {
  readonly sites: Sites
  readonly ports: Readonly<Partial<Record<keyof Sites, number>>>
  close(): void
}

/** Opens all sites of a library. */
export async function openSites(library: Library, folder: string): Promise<ListeningSites> {
  const sealed = await startSite((origin) => library.openSite("sealed", origin, folder))
  const stored = library.hasStoredSessions
    ? await startSite((origin) => library.openSite("stored", origin, folder))
    : undefined
  const { openSharedStoreSite, openFourProviderSite } = library
  const shared =
    stored &&
    openSharedStoreSite &&
    (await startSite((origin) => openSharedStoreSite(stored.site, origin, folder)))
  const fourProviders =
    openFourProviderSite && (await startSite((origin) => openFourProviderSite(origin)))
  return {
    sites: {
      sealed: sealed.site,
      ...(stored ? { stored: stored.site } : {}),
      ...(shared ? { shared: shared.site } : {}),
      ...(fourProviders ? { fourProviders: fourProviders.site } : {}),
    },
    ports: {
      sealed: sealed.port,
      ...(stored ? { stored: stored.port } : {}),
      ...(shared ? { shared: shared.port } : {}),
      ...(fourProviders ? { fourProviders: fourProviders.port } : {}),
    },
    close() {
      for (const opened of [sealed, stored, shared, fourProviders]) opened?.server.close()
    },
  }
}

async function startSite(open: (origin: string) => Promise<Site>) {
  const server = createServer()
  const port = await listenOnFreePort(server)
  const site = await open(`http://localhost:${port}`)
  const listener: RequestListener | undefined = site.listener
  if (listener) server.on("request", listener)
  return { site, server, port }
}

async function listenOnFreePort(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  return (server.address() as AddressInfo).port // it listens on a port
}
