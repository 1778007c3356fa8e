/** An application that runs under one of several circumstances, and people who use it. */
import { join } from "node:path"
import { type Browser, browser } from "@latchkey/testing"
import type { Application, Environment, Place } from "./catalogue.ts"
import { run } from "./command.ts"
import { prepare } from "./prepare.ts"
import { type Mode, type RunningServer, serveApplication } from "./server.ts"
import { openSurroundings, type Surroundings } from "./surroundings.ts"

/** Under which circumstances an application runs. */
export type Setting = keyof typeof settings

interface Circumstances {
  /** The name by which people reach the server itself. @defaultValue `127.0.0.1` */
  readonly host?: string
  /** The origin that a proxy gives it; without one, people reach the server itself. */
  readonly proxy?: string
  /** What the proxy says about the request. */
  readonly forwarded?: Readonly<Record<string, string>>
  readonly basePath?: string
  readonly env: Environment
}

const proxy = "https://app.example"
const behindProxy = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example" }
const trusting = { AUTH_TRUST_HOST: "true" }

export const settings = {
  /** Plain http on this machine, where the host is trusted. */
  plain: { env: trusting },
  /** The same by a name, without which browsers allow no passkeys. */
  named: { host: "localhost", env: trusting },
  /** As plain, and nothing is trusted. */
  untrusted: { env: {} },
  /** Behind a proxy that ends TLS and says so. */
  proxied: { proxy, forwarded: behindProxy, env: trusting },
  /** Behind a proxy that ends TLS and says nothing. */
  silent: { proxy, env: { AUTH_URL: proxy } },
  /** On another path, with a session cookie that is renewed at every access. */
  deep: { basePath: "/deep/er/auth", env: { ...trusting, PROBE_UPDATE_AGE: "0" } },
  /** With sessions in a database. */
  database: { env: { ...trusting, PROBE_STRATEGY: "database" } },
} satisfies Record<string, Circumstances>

export interface Scene extends Surroundings {
  readonly application: Application
  /** Where it was built. */
  readonly folder: string
  /** As people see it. */
  readonly origin: string
  /** Where the server listens. */
  readonly port: number
  readonly basePath: string
  /** Somebody with a browser of their own. */
  visitor(): Browser
  /** The session of somebody as the framework's own reader gives it. */
  read(visitor: Browser): Promise<unknown>
  /** What the server wrote so far. */
  output(): string
}

/** Builds an application for a setting, starts it, and opens what is around it. */
export async function openScene(
  application: Application,
  setting: Setting,
  port: number,
  mode?: Mode,
): Promise<Scene> {
  const circumstances: Circumstances = settings[setting]
  const { host = "127.0.0.1" } = circumstances
  const origin = circumstances.proxy ?? `http://${host}:${port}`
  const place: Place = { port, origin }
  const folder = await prepare({ application, variant: "probe", place })
  const basePath = circumstances.basePath ?? application.basePath
  const around = await openSurroundings(origin + basePath)
  const database = join(around.temporary, "probe.db")
  await run(process.execPath, ["database.mjs", database], { cwd: folder })
  const env = {
    AUTH_SECRET: "a secret of the tests, long enough and worth nothing",
    ...application.runFor(place),
    ...(circumstances.forwarded && application.trustingProxy),
    ...(circumstances.basePath && { PROBE_BASE_PATH: circumstances.basePath }),
    ...circumstances.env,
    ...around.env,
    PROBE_DATABASE: database,
  }
  const server = await serveApplication(folder, port, env, mode).catch(async (error: unknown) => {
    await around[Symbol.asyncDispose]()
    throw error
  })
  return {
    folder,
    ...sceneOf({ application, place, basePath }, circumstances),
    ...around,
    ...closing(server, around),
  }
}

function closing(server: RunningServer, around: Surroundings) {
  return {
    output: server.output,
    async [Symbol.asyncDispose]() {
      await server.stop()
      await around[Symbol.asyncDispose]()
    },
  }
}

function sceneOf(
  { application, place, basePath }: { application: Application; place: Place; basePath: string },
  { forwarded = {} }: Circumstances,
) {
  const { origin, port } = place
  const visitor = () => browser(throughProxy(port, forwarded), { origin, basePath })
  return {
    application,
    origin,
    port,
    basePath,
    visitor,
    async read(person: Browser): Promise<unknown> {
      const answer = await person.open("/probe/session", { from: origin })
      if (answer.status !== 200) throw new Error(`/probe/session answers ${answer.status}`)
      return ((await answer.json()) as { session: unknown }).session
    },
  }
}

/** Hands requests on to the server as a proxy does; over the network, with the headers of the browser. */
function throughProxy(port: number, forwarded: Readonly<Record<string, string>>) {
  const server = `http://127.0.0.1:${port}`
  const { app: network } = browser(server)
  return async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    const headers = new Headers({ ...Object.fromEntries(request.headers), ...forwarded })
    const body = request.body && (await request.arrayBuffer())
    const { method } = request
    return network(new Request(server + pathname + search, { method, headers, body }))
  }
}
