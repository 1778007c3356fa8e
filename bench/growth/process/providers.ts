/** Measures the steps of a sign-in and session checks with a number of providers in one configuration. */
import { Auth, createAuth } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import {
  createCookieHeader,
  createHandlerSender,
  type HttpRequest,
  type HttpResponse,
} from "../../http.ts"
import { sessionCookieName } from "../../libraries/authjs-compatible.ts"
import { createCallbackRequest } from "../../libraries/sign-in.ts"
import { secret, testUser } from "../../test-user.ts"
import { assertTestUser, UnexpectedResponseError } from "../../workloads/assertions.ts"
import type { MeasuredValues } from "./dimensions.ts"
import { createCycle, measureBatch, measureRuns, readMemory } from "./measure.ts"
import { createProviderConfig, createTestProviders } from "./test-provider.ts"

const origin = "http://localhost:3000"

export async function measureProviders(
  providerCount: number,
  duration: number,
): Promise<MeasuredValues> {
  const testProviders = createTestProviders()
  globalThis.fetch = testProviders.fetch
  const providers = Array.from({ length: providerCount }, (_, index) => createProviderConfig(index))
  const config = { secret, trustHost: true, attemptLimits: false as const, providers }
  const create = await measureRuns(async () => createAuth(config), duration)
  const memory = measureConfigurationMemory(config)
  const auth = createAuth(config)

  const send = createHandlerSender(origin, (request) => auth.handle(request))
  const { name, email, id: sub } = testUser
  const token = await encode({ token: { sub, name, email }, secret, salt: sessionCookieName })
  const cookie = `${sessionCookieName}=${token}`
  const headers = new Headers({ cookie })
  const url = new URL(origin)
  const check = await measureRuns(async () => {
    const { session } = await auth.getSession({ headers, url })
    if (session?.user?.email !== email) throw new TypeError("Expected a session")
  }, duration)
  const sendToAuth = createHandlerSender(origin, (request) => Auth(request, config))
  const authCheck = await measureRuns(
    async () => assertTestUser(await sendToAuth({ method: "GET", path: "/auth/session", cookie })),
    duration,
  )
  const lastId = createProviderConfig(providerCount - 1).id
  const page = await measureRuns(async () => {
    const response = await send({ method: "GET", path: "/auth/signin" })
    if (response.status !== 200 || response.body.lastIndexOf(lastId) === -1)
      throw new UnexpectedResponseError("a page with the last provider", response)
  }, duration)
  return { create, memory, check, authCheck, page, ...(await measureSignIns()) }

  async function measureSignIns(): Promise<MeasuredValues> {
    const csrf = await send({ method: "GET", path: "/auth/csrf" })
    const csrfCookie = createCookieHeader(csrf)
    const { csrfToken }: { csrfToken: string } = JSON.parse(csrf.body)
    const nextStart = createCycle(
      providers.map(({ id }): HttpRequest => {
        const path = `/auth/signin/${id}`
        return { method: "POST", path, cookie: csrfCookie, form: { csrfToken } }
      }),
    )
    const start = await measureRuns(
      async () => {
        const response = await send(nextStart())
        if (!response.location?.includes("/authorize?"))
          throw new UnexpectedResponseError("a redirect to the provider", response)
      },
      duration,
      providerCount,
    )
    const readAuthorizationUrl = ({ location = "" }: HttpResponse) => {
      testProviders.signInAdvance(location)
      return location
    }
    const createCallbacks = async (count: number): Promise<HttpRequest[]> => {
      const requests: HttpRequest[] = []
      while (requests.length < count) {
        const startRequest = nextStart()
        const steps = { startRequest, readAuthorizationUrl }
        requests.push(await createCallbackRequest(steps, send))
      }
      return requests
    }
    const runCallbacks = async (count: number): Promise<number> => {
      const nextCallback = createCycle(await createCallbacks(count))
      return measureBatch(async () => {
        const response = await send(nextCallback())
        if (response.location !== origin || !createCookieHeader(response).includes("session-token"))
          throw new UnexpectedResponseError("a session", response)
      }, count)
    }
    const callbackCount = Math.max(providerCount, Math.ceil(duration * 2))
    // The first callback of each provider requests its keys.
    await runCallbacks(callbackCount)
    return { start, callback: await runCallbacks(callbackCount) }
  }
}

/** Returns the memory of a configuration in KB: of several, because other objects come and go, too. */
function measureConfigurationMemory(config: Parameters<typeof createAuth>[0]): number {
  const before = readMemory()
  const engines = Array.from({ length: 100 }, () => createAuth(config))
  return (readMemory() - before) / engines.length / 1024
}
