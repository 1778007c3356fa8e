/** Creates an application with the request handler of Qwik City and test routes. */
import {
  mergeHeadersCookies,
  requestHandler,
} from "@builder.io/qwik-city/middleware/request-handler"
import { type QwikEvent, type ResumableAuthConfig, ResumableAuthQrl } from "@latchkey/qwik"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"

/** The exports of a route module. */
type RouteModule = Readonly<Record<string, unknown>>

export interface ApplicationOptions {
  readonly config: ResumableAuthConfig | ((event: never) => Promise<ResumableAuthConfig | false>)
  /** The base path of the application, with a slash at both ends. */
  readonly basePathname?: string
  readonly env?: Readonly<Record<string, string>>
  /** The routes by path. Without a `default` export, a route is an endpoint. */
  readonly routes?: Readonly<Record<string, RouteModule>>
  /** Returns the address of the connection that a request came over. */
  readonly getClientAddress?: (request: Request) => string | undefined
  /** Returns what the server passes on, such as the request of Node.js. */
  readonly getPlatform?: (request: Request) => QwikPlatform
  /** Whether Qwik checks the origin of forms. */
  readonly checkOrigin?: boolean
}

/** The content of a page. */
export interface PageData {
  readonly session: unknown
  /** The result of the action, if there was one. */
  readonly result?: unknown
  /** The submitted fields that the page shows again. */
  readonly form?: Readonly<Record<string, string>>
}

type QwikPlatform = ServerEvent["platform"] & { readonly incomingMessage?: { url: string } }
type ServerEvent = Parameters<typeof requestHandler>[0]
type ServerOptions = Parameters<typeof requestHandler>[1]

const origin = "http://app.example"

/** The application, and the ids of its actions. */
export function createApplication(options: ApplicationOptions) {
  const { config, basePathname = "/", env = {}, routes = {}, checkOrigin = true } = options
  const { getClientAddress = () => undefined, getPlatform = () => ({}) } = options
  const source = typeof config === "function" ? config : async () => config
  // A QRL is called like its function.
  const auth = ResumableAuthQrl(source as never)
  const { onRequest, useSession, useSignIn, useSignOut } = auth
  const page = { default: () => undefined }
  const modules = { [basePathname]: page, ...routes }
  const plan = {
    routes: Object.entries(modules).map(([path, module]) => [path, [async () => module]]),
    serverPlugins: [{ onRequest, useSession, useSignIn, useSignOut }],
    trailingSlash: false,
    basePathname,
    cacheModules: false,
  }
  const ids = { useSession, useSignIn, useSignOut } as unknown as Record<string, { __id: string }>
  const getId = (name: string) => ids[name]?.__id ?? ""
  const serverOptions = {
    qwikCityPlan: plan,
    checkOrigin,
    async render({ stream, serverData }: never) {
      const { loaders, action, formData } = (serverData as RenderData).qwikcity.response
      const form = formData && Object.fromEntries(formData)
      const shown = { session: loaders[getId("useSession")], result: loaders[action ?? ""], form }
      await (stream as StreamWriter).write(JSON.stringify(shown))
      return {}
    },
  }
  const handle = async (request: Request): Promise<Response> => {
    const run = await requestHandler(
      { ...serverEvent(request, env, getClientAddress), platform: getPlatform(request) },
      // The request handler uses only these properties.
      serverOptions as unknown as ServerOptions,
      serializer,
    )
    void run?.completion.then((error) => {
      if (error instanceof Error) failures.push(error)
    })
    // The result of `getWritableStream`; null if there is no response.
    const response = (await run?.response) as Response | null | undefined
    return response ?? new Response("Not found", { status: 404 })
  }
  const failures: Error[] = []
  return { handle, failures, signInId: getId("useSignIn"), signOutId: getId("useSignOut") }
}

interface RenderData {
  qwikcity: {
    response: { loaders: Record<string, unknown>; action?: string; formData?: FormData }
  }
}

interface StreamWriter {
  write(text: string): Promise<void>
}

const serializer = {
  _serializeData: async (data: unknown) => JSON.stringify(data),
  _deserializeData: (text: string) => JSON.parse(text),
  _verifySerializable() {},
} as unknown as Parameters<typeof requestHandler>[2]

function serverEvent(
  request: Request,
  env: Readonly<Record<string, string>>,
  getClientAddress: (request: Request) => string | undefined,
): ServerEvent {
  return {
    mode: "server",
    url: new URL(request.url),
    locale: undefined,
    platform: {},
    request,
    env: { get: (name) => env[name] },
    getClientConn: () => ({ ip: getClientAddress(request) }) as { ip?: string },
    getWritableStream(status, headers, cookies, resolve) {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      const response = new Response(readable, {
        status,
        headers: mergeHeadersCookies(headers, cookies),
      })
      resolve(response as never)
      return writable
    },
  }
}

/** Creates a user with a browser, who can submit the actions. */
export function openTestApplication(options: ApplicationOptions) {
  const app = createApplication(options)
  const { basePathname = "/" } = options
  const user = createTestBrowser(app.handle, { origin, basePath: `${basePathname}auth` })
  return { ...app, visitor: user, ...createFormActions(user, app, basePathname) }
}

function createFormActions(
  user: TestBrowser,
  ids: { readonly signInId: string; readonly signOutId: string },
  page: string,
) {
  const post = (id: string, fields: Record<string, string>, path = page) =>
    user.post(`${path}?qaction=${id}`, fields)
  return {
    /** Submits a form as a browser does without JavaScript. */
    signIn: (fields: Record<string, string>, path?: string) => post(ids.signInId, fields, path),
    signOut: (fields: Record<string, string> = {}) => post(ids.signOutId, fields),
    /** Returns the content of the page. */
    async shown(): Promise<PageData> {
      return (await (await user.open(page, { from: origin })).json()) as PageData
    },
  }
}

export type { QwikEvent }
