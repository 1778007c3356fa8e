/** An application that runs under one of several circumstances, and people who use it. */
import { join } from "node:path"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { type RunningServer, type ServerMode, startServer } from "./application-server.ts"
import { buildApplication } from "./build-application.ts"
import type { Application, ApplicationAddress, Environment } from "./catalogue.ts"
import { runProgram } from "./command.ts"
import { startTestServices, type TestServices } from "./test-services.ts"

/** Under which circumstances an application runs. */
export type DeploymentName = keyof typeof deployments

interface Deployment {
  /** The name by which people reach the server itself. @defaultValue `127.0.0.1` */
  readonly host?: string
  /** The origin that a proxy gives it; without one, people reach the server itself. */
  readonly proxy?: string
  /** What the proxy says about the request. */
  readonly forwardedHeaders?: Readonly<Record<string, string>>
  readonly basePath?: string
  readonly env: Environment
}

const proxyOrigin = "https://app.example"
const proxyHeaders = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example" }
const trustEnv = { AUTH_TRUST_HOST: "true" }

export const deployments = {
  /** Plain http on this machine, where the host is trusted. */
  plain: { env: trustEnv },
  /** The same by a name, without which browsers allow no passkeys. */
  named: { host: "localhost", env: trustEnv },
  /** As plain, and nothing is trusted. */
  untrusted: { env: {} },
  /** Behind a proxy that ends TLS and says so. */
  proxied: { proxy: proxyOrigin, forwardedHeaders: proxyHeaders, env: trustEnv },
  /** Behind a proxy that ends TLS and says nothing. */
  silent: { proxy: proxyOrigin, env: { AUTH_URL: proxyOrigin } },
  /** On another path, with a session cookie that is renewed at every access. */
  deep: { basePath: "/deep/er/auth", env: { ...trustEnv, PROBE_UPDATE_AGE: "0" } },
  /** With sessions in a database. */
  database: { env: { ...trustEnv, PROBE_STRATEGY: "database" } },
} satisfies Record<string, Deployment>

export interface ApplicationFixture extends TestServices {
  readonly application: Application
  /** Where it was built. */
  readonly folder: string
  /** As people see it. */
  readonly origin: string
  /** Where the server listens. */
  readonly port: number
  readonly basePath: string
  /** Somebody with a browser of their own. */
  openBrowser(): TestBrowser
  /** The session of somebody as the framework's own reader gives it. */
  readSession(client: TestBrowser): Promise<unknown>
  /** What the server wrote so far. */
  output(): string
}

/** Builds an application for a setting, starts it, and opens what is around it. */
export async function openApplicationFixture(
  application: Application,
  deploymentName: DeploymentName,
  port: number,
  mode?: ServerMode,
): Promise<ApplicationFixture> {
  const deployment: Deployment = deployments[deploymentName]
  const { host = "127.0.0.1" } = deployment
  const origin = deployment.proxy ?? `http://${host}:${port}`
  const address: ApplicationAddress = { port, origin }
  const folder = await buildApplication({ application, variant: "probe", address })
  const basePath = deployment.basePath ?? application.basePath
  const services = await startTestServices(origin + basePath)
  const database = join(services.temporaryFolder, "probe.db")
  await runProgram(process.execPath, ["database.mjs", database], { cwd: folder })
  const env = {
    AUTH_SECRET: "a secret of the tests, long enough and worth nothing",
    ...application.runEnv(address),
    ...(deployment.forwardedHeaders && application.proxyTrustEnv),
    ...(deployment.basePath && { PROBE_BASE_PATH: deployment.basePath }),
    ...deployment.env,
    ...services.env,
    PROBE_DATABASE: database,
  }
  const server = await startServer(folder, port, env, mode).catch(async (error: unknown) => {
    await services[Symbol.asyncDispose]()
    throw error
  })
  return {
    folder,
    ...createFixture({ application, place: address, basePath }, deployment),
    ...services,
    ...createCleanup(server, services),
  }
}

function createCleanup(server: RunningServer, services: TestServices) {
  return {
    output: server.output,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await services[Symbol.asyncDispose]()
    },
  }
}

function createFixture(
  {
    application,
    place: address,
    basePath,
  }: { application: Application; place: ApplicationAddress; basePath: string },
  { forwardedHeaders = {} }: Deployment,
) {
  const { origin, port } = address
  const openBrowser = () =>
    createTestBrowser(createProxyFetch(port, forwardedHeaders), { origin, basePath })
  return {
    application,
    origin,
    port,
    basePath,
    openBrowser,
    async readSession(client: TestBrowser): Promise<unknown> {
      const response = await client.open("/probe/session", { from: origin })
      if (response.status !== 200) throw new Error(`/probe/session answers ${response.status}`)
      return ((await response.json()) as { session: unknown }).session
    },
  }
}

/** Hands requests on to the server as a proxy does; over the network, with the headers of the browser. */
function createProxyFetch(port: number, forwarded: Readonly<Record<string, string>>) {
  const server = `http://127.0.0.1:${port}`
  const { app: network } = createTestBrowser(server)
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers({ ...Object.fromEntries(request.headers), ...forwarded })
    const body = request.body && (await request.arrayBuffer())
    const { method } = request
    return network(new Request(server + pathname + search, { method, headers, body }))
  }
}
