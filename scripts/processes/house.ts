/** Four processes of the Express example behind nginx, on one database, beside a provider. */
import { type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { applicationNamed } from "../applications/catalogue.ts"
import { prepare, type Variant } from "../applications/prepare.ts"
import { freePort } from "../applications/server.ts"
import { type AppProcess, appProcess } from "./app-process.ts"
import { type Balancer, startNginx } from "./nginx.ts"
import { type Visitor, visitor } from "./visitor.ts"

/** Where people may sign in. */
export interface Provider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface House<Own extends Provider = ScriptedProvider> extends AsyncDisposable {
  /** As people see it. */
  readonly origin: string
  readonly proxy: Balancer
  readonly processes: readonly AppProcess[]
  /** Where the application was built. */
  readonly folder: string
  readonly provider: Own
  /** Somebody with a browser of their own. */
  visitor(): Visitor
}

/** What kind of house. */
export interface Plan<Own extends Provider> {
  /** Starts the provider, which may need to know the origin of the application. */
  readonly provider: (origin: string) => Promise<Own>
  /** The example as it is, or with many people. */
  readonly variant: Extract<Variant, "example" | "processes">
  /** Without one, sessions are cookies. */
  readonly databaseUrl?: string
  /** @defaultValue "dist/server.js" */
  readonly entry?: string
}

const size = 4

/** A secret as applications have it. */
export const secret = "a secret of the tests, long enough and worth nothing"

/** Builds the application, and starts everything at once: the processes find an empty database together. */
export async function openHouse<Own extends Provider>({
  variant,
  provider: startProvider,
  databaseUrl = "",
  entry = "dist/server.js",
}: Plan<Own>): Promise<House<Own>> {
  await using closing = new AsyncDisposableStack()
  const ports = await freePorts()
  const proxy = closing.use(await startNginx(ports))
  const { origin } = proxy
  const folder = await prepare({ application: express, variant, place: { port: 0, origin } })
  const provider = closing.use(await startProvider(origin))
  const program = {
    folder,
    entry,
    env: {
      AUTH_SECRET: secret,
      AUTH_URL: origin,
      AUTH_TENANTIDP_ID: provider.clientId,
      AUTH_TENANTIDP_SECRET: provider.clientSecret,
      AUTH_TENANTIDP_ISSUER: provider.issuer,
      DATABASE_URL: databaseUrl,
    },
  }
  const processes = ports.map((port) => appProcess(port, program))
  closing.defer(async () => void (await Promise.all(processes.map((each) => each.kill()))))
  await Promise.all(processes.map((each) => each.start()))
  const opened = closing.move()
  return {
    origin,
    proxy,
    processes,
    folder,
    provider,
    visitor: () => visitor(origin),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A provider at which everybody says yes on the spot. */
export async function quickProvider(): Promise<ScriptedProvider> {
  const provider = await scriptedProvider({ id: "tenantidp" })
  await provider.listen()
  return provider
}

const express = applicationOf("express")

function applicationOf(name: string) {
  const application = applicationNamed(name)
  if (!application) throw new Error(`There is no application ${name}`)
  return application
}

async function freePorts(): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < size) ports.add(await freePort(0))
  return [...ports]
}
