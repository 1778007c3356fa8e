/** Creates the workloads that a site supports. */
import { createCookieHeader, type HttpRequest, type HttpResponse } from "../http.ts"
import type { OAuthSteps, Site } from "../libraries/library.ts"
import { createCallbackRequest } from "../libraries/sign-in.ts"
import { testUser } from "../test-user.ts"
import {
  assertAuthorizationRequest,
  assertCsrfToken,
  assertNoSession,
  assertSignedIn,
  assertSignInPage,
  assertTestUser,
  UnexpectedResponseError,
} from "./assertions.ts"
import type { CallWorkload, RequestWorkload, WorkloadId, Workloads } from "./workload.ts"

/** The sites of one library. */
export interface Sites {
  readonly sealed: Site
  /** Sessions are rows in SQLite. */
  readonly stored?: Site
  /** Sessions are rows of `@latchkey/sql`, with either library. */
  readonly shared?: Site
  /** Three OAuth providers and passwords. */
  readonly fourProviders?: Site
}

/** Returns the kind of site for a workload. */
export function findSiteId(id: WorkloadId): keyof Sites {
  if (id.startsWith("w2Shared")) return "shared"
  if (id === "w4Four") return "fourProviders"
  return id.startsWith("w2") ? "stored" : "sealed"
}

/** Creates the workloads that are measured in process and over HTTP. */
export async function createCommonWorkloads({
  sealed,
  stored,
  shared,
  fourProviders,
}: Sites): Promise<Workloads> {
  const { sessionRequest } = sealed
  return {
    w1: createSessionCheck(sessionRequest, await createBrowserCookies(sealed, 1)),
    ...(stored
      ? { w2: createSessionCheck(stored.sessionRequest, await createBrowserCookies(stored, 1)) }
      : {}),
    ...(shared
      ? {
          w2Shared: createSessionCheck(
            shared.sessionRequest,
            await createBrowserCookies(shared, 1),
          ),
        }
      : {}),
    ...(await createCsrfWorkloads(sealed)),
    ...createSignInPageWorkload("w4", sealed, 2),
    ...(fourProviders ? createSignInPageWorkload("w4Four", fourProviders, 4) : {}),
    ...createOAuthWorkloads(sealed, await sealed.createOAuthSteps?.()),
    ...createPasswordWorkload(sealed, await sealed.createCredentialsRequest?.()),
    w8: createRepeatedWorkload(sessionRequest, assertNoSession),
    ...(sealed.createOtherCookies
      ? {
          w8Form: createRepeatedWorkload(
            { ...sessionRequest, cookie: await sealed.createOtherCookies() },
            assertNoSession,
          ),
        }
      : {}),
  }
}

/** Creates the workloads that need an application. */
export async function createHttpWorkloads({ sealed, stored }: Sites): Promise<Workloads> {
  const { pageRequest, publicPageRequest } = sealed
  const cookies = await createBrowserCookies(sealed, 1)
  return {
    page: createSessionCheck(pageRequest, cookies),
    ...(stored
      ? { w2Page: createSessionCheck(stored.pageRequest, await createBrowserCookies(stored, 1)) }
      : {}),
    ...(publicPageRequest ? { bare: createSessionCheck(publicPageRequest, cookies) } : {}),
  }
}

/**
 * Creates the workloads that are measured in process only.
 *
 * @param sampleCount the number of distinct cookies and rows
 */
export async function createInProcessWorkloads(
  { sealed, stored, shared }: Sites,
  sampleCount: number,
): Promise<Workloads> {
  const cookies = await createBrowserCookies(sealed, sampleCount)
  const [one = ""] = cookies
  return {
    ...(sealed.createOtherCookies
      ? { w1Alone: createSessionCheck(sealed.sessionRequest, await sealed.createSessionCookies(1)) }
      : {}),
    w1Distinct: createSessionCheck(sealed.sessionRequest, cookies),
    ...(stored ? await createStoredWorkloads(stored, sampleCount) : {}),
    ...(shared
      ? {
          w2SharedDistinct: createSessionCheck(
            shared.sessionRequest,
            await createBrowserCookies(shared, sampleCount),
          ),
        }
      : {}),
    ...(sealed.readUserEmail ? { w1Call: createCallWorkload(sealed.readUserEmail, one) } : {}),
    ...(sealed.createCookieWithClaims
      ? await createClaimWorkloads(sealed, sealed.createCookieWithClaims)
      : {}),
  }
}

async function createStoredWorkloads(stored: Site, sampleCount: number): Promise<Workloads> {
  const rows = await createBrowserCookies(stored, sampleCount)
  const [row = ""] = rows
  return {
    ...(stored.createOtherCookies
      ? { w2Alone: createSessionCheck(stored.sessionRequest, await stored.createSessionCookies(1)) }
      : {}),
    w2Distinct: createSessionCheck(stored.sessionRequest, rows),
    ...(stored.readUserEmail ? { w2Call: createCallWorkload(stored.readUserEmail, row) } : {}),
  }
}

/** Creates the `Cookie` headers of a signed-in user's browser. */
async function createBrowserCookies(
  { createSessionCookies, createOtherCookies }: Site,
  count: number,
): Promise<string[]> {
  const others = createOtherCookies ? `; ${await createOtherCookies()}` : ""
  return (await createSessionCookies(count)).map((cookie) => cookie + others)
}

async function createClaimWorkloads(
  site: Site,
  createCookie: (bytes: number) => Promise<string>,
): Promise<Workloads> {
  const sizes = { w10Tiny: 200, w10Small: 1024, w10Medium: 4096, w10Large: 16_384 } as const
  const others = site.createOtherCookies ? `; ${await site.createOtherCookies()}` : ""
  const workloads = Object.entries(sizes).map(
    async ([id, bytes]) =>
      [
        id,
        createSessionCheck(site.sessionRequest, [(await createCookie(bytes)) + others]),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(workloads)) satisfies Partial<
    Record<WorkloadId, RequestWorkload>
  >
}

function createRequestWorkload(
  status: number,
  request: (index: number) => HttpRequest,
  check: (response: HttpResponse) => void | Promise<void>,
): RequestWorkload {
  return {
    kind: "sent",
    status,
    usesRequestOnce: false,
    createRequests: async (count) => Array.from({ length: count }, (_, index) => request(index)),
    check: async (response) => check(response),
  }
}

const createRepeatedWorkload = (
  request: HttpRequest,
  check: Parameters<typeof createRequestWorkload>[2],
): RequestWorkload => createRequestWorkload(200, () => request, check)

/** Returns cookies in turn. */
function createSessionCheck(session: HttpRequest, cookies: readonly string[]): RequestWorkload {
  const requests = cookies.map((cookie): HttpRequest => ({ ...session, cookie }))
  return createRequestWorkload(
    200,
    (index) => requests[index % requests.length] ?? session,
    assertTestUser,
  )
}

function createCallWorkload(
  whoIs: NonNullable<Site["readUserEmail"]>,
  cookie: string,
): CallWorkload {
  return {
    kind: "called",
    call: () => whoIs(cookie),
    check(email) {
      if (email !== testUser.email) throw new UnexpectedResponseError(testUser.email, String(email))
    },
  }
}

function createSignInPageWorkload(
  id: "w4" | "w4Four",
  { signInPageRequest }: Site,
  providerCount: number,
): Workloads {
  if (!signInPageRequest) return {}
  const check = (response: HttpResponse) => assertSignInPage(response, providerCount)
  return { [id]: createRepeatedWorkload(signInPageRequest, check) }
}

async function createCsrfWorkloads({ csrfRequest, send }: Site): Promise<Workloads> {
  if (!csrfRequest) return {}
  const cookie = createCookieHeader(await send(csrfRequest))
  return {
    w3First: createRepeatedWorkload(csrfRequest, (response) => assertCsrfToken(response, true)),
    w3Again: createRepeatedWorkload({ ...csrfRequest, cookie }, (response) =>
      assertCsrfToken(response, false),
    ),
  }
}

function createOAuthWorkloads(site: Site, steps: OAuthSteps | undefined): Workloads {
  if (!steps) return {}
  const { startRequest } = steps
  return {
    w5: createRequestWorkload(
      expectedStatus(startRequest),
      () => startRequest,
      (response) => assertAuthorizationRequest(response, steps),
    ),
    w6: {
      kind: "sent",
      status: 302,
      usesRequestOnce: true,
      check: (response) => assertSignedIn(response, site),
      async createRequests(count) {
        const requests: HttpRequest[] = []
        while (requests.length < count) requests.push(await createCallbackRequest(steps, site.send))
        return requests
      },
    },
  }
}

function createPasswordWorkload(site: Site, request: HttpRequest | undefined): Workloads {
  if (!request) return {}
  return {
    w7: createRequestWorkload(
      expectedStatus(request),
      () => request,
      (response) => assertSignedIn(response, site),
    ),
  }
}

const expectedStatus = ({ json }: HttpRequest): number => (json ? 200 : 302)
