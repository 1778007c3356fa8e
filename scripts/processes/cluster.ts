/** Runs four processes of the Express example behind nginx, with one database and an identity provider. */
import { createScriptedProvider, type ScriptedProvider } from "@latchkey/testing"
import { findFreePort } from "../applications/application-server.ts"
import { type ApplicationVariant, buildApplication } from "../applications/build-application.ts"
import { findApplication } from "../applications/catalogue.ts"
import { type AppProcess, createAppProcess } from "./app-process.ts"
import { type LoadBalancer, startNginx } from "./nginx.ts"
import { createProxyClient, type ProxyClient } from "./proxy-client.ts"

/** An identity provider for the tests. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface Cluster<Own extends TestProvider = ScriptedProvider> extends AsyncDisposable {
  /** The origin of the proxy. */
  readonly origin: string
  readonly proxy: LoadBalancer
  readonly processes: readonly AppProcess[]
  /** The folder with the built application. */
  readonly folder: string
  readonly provider: Own
  /** Creates a client with its own browser. */
  createClient(): ProxyClient
}

/** Options of `startCluster`. */
export interface ClusterOptions<Own extends TestProvider> {
  /** Starts the provider, which may need to know the origin of the application. */
  readonly provider: (origin: string) => Promise<Own>
  /** The unchanged example, or the one for tests with many users. */
  readonly variant: Extract<ApplicationVariant, "example" | "processes">
  /** Without a database, sessions are stored in cookies. */
  readonly databaseUrl?: string
  /** @defaultValue "dist/server.js" */
  readonly entry?: string
  /** Returns the folder of another build that runs first, from that of the current one. */
  readonly firstFolder?: (folder: string) => Promise<string>
}

const processCount = 4

/** The secret of all processes. */
export const authSecret = "a secret of the tests, long enough and worth nothing"

/** Builds the application and starts all processes concurrently, with an empty database. */
export async function startCluster<Own extends TestProvider>({
  variant,
  provider: startProvider,
  databaseUrl = "",
  entry = "dist/server.js",
  firstFolder,
}: ClusterOptions<Own>): Promise<Cluster<Own>> {
  await using resources = new AsyncDisposableStack()
  const ports = await findFreePorts()
  const proxy = resources.use(await startNginx(ports))
  const { origin } = proxy
  const folder = await buildApplication({
    application: expressApplication,
    variant,
    address: { port: 0, origin },
  })
  const provider = resources.use(await startProvider(origin))
  const processOptions = {
    folder: (await firstFolder?.(folder)) ?? folder,
    entry,
    env: {
      AUTH_SECRET: authSecret,
      AUTH_URL: origin,
      AUTH_TENANTIDP_ID: provider.clientId,
      AUTH_TENANTIDP_SECRET: provider.clientSecret,
      AUTH_TENANTIDP_ISSUER: provider.issuer,
      DATABASE_URL: databaseUrl,
    },
  }
  const processes = ports.map((port) => createAppProcess(port, processOptions))
  resources.defer(async () => void (await Promise.all(processes.map((each) => each.kill()))))
  await Promise.all(processes.map((each) => each.start()))
  const ownedResources = resources.move()
  return {
    origin,
    proxy,
    processes,
    folder,
    provider,
    createClient: () => createProxyClient(origin),
    [Symbol.asyncDispose]: () => ownedResources.disposeAsync(),
  }
}

/** Starts a provider that approves every request. */
export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const provider = await createScriptedProvider({ id: "tenantidp" })
  await provider.listen()
  return provider
}

const expressApplication = requireApplication("express")

function requireApplication(name: string) {
  const application = findApplication(name)
  if (!application) throw new Error(`There is no application ${name}`)
  return application
}

async function findFreePorts(): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < processCount) ports.add(await findFreePort(0))
  return [...ports]
}
