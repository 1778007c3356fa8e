/** A running application under test, with clients and test services. */
import { join } from "node:path"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { type RunningServer, type ServerMode, startServer } from "./application-server.ts"
import { buildApplication } from "./build-application.ts"
import type { Application, ApplicationAddress, Environment } from "./catalogue.ts"
import { runProgram } from "./command.ts"
import { startTestServices, type TestServices } from "./test-services.ts"

/** A deployment: the circumstances in which an application runs. */
export type DeploymentName = keyof typeof deployments

interface Deployment {
  /** The host name of the server. @defaultValue `127.0.0.1` */
  readonly host?: string
  /** The public origin of the proxy. Without it, clients connect to the server directly. */
  readonly proxy?: string
  /** The headers that the proxy adds. */
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
  /**
   * The same with a host name, which browsers require for passkeys, and with a page of the application that asks for the
   * code of an e-mail.
   */
  named: { host: "localhost", env: { ...trustEnv, PROBE_VERIFY_REQUEST: "/probe/code" } },
  /** Plain http with the URL that users open, so that no host of a request counts. */
  untrusted: { env: { AUTH_URL: "http://127.0.0.1" } },
  /** Behind a proxy that terminates TLS and sends forwarded headers. */
  proxied: { proxy: proxyOrigin, forwardedHeaders: proxyHeaders, env: trustEnv },
  /** Behind a proxy that terminates TLS and sends no forwarded headers. */
  silent: { proxy: proxyOrigin, env: { AUTH_URL: proxyOrigin } },
  /** On another path, with a session cookie that is renewed at every access. */
  deep: { basePath: "/deep/er/auth", env: { ...trustEnv, PROBE_UPDATE_AGE: "0" } },
  /** With database sessions. */
  database: { env: { ...trustEnv, PROBE_STRATEGY: "database" } },
} satisfies Record<string, Deployment>

export interface ApplicationFixture extends TestServices {
  readonly application: Application
  /** The folder of the built application. */
  readonly folder: string
  /** The public origin. */
  readonly origin: string
  /** The origin of the server. */
  readonly port: number
  readonly basePath: string
  /** Creates a client with its own browser. */
  openBrowser(): TestBrowser
  /** Reads the session of a client with the framework's own function. */
  readSession(client: TestBrowser): Promise<unknown>
  /** The output of the server so far. */
  output(): string
}

/** Builds an application for a deployment, and starts it with its test services. */
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

/** Forwards requests to the server as a proxy does, over the network, with the headers of the browser. */
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
