/** Prepares the scenarios. Their cookies come from another process, as those of a browser do. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createHeaders, encodeBody, type HttpRequest, type HttpResponse } from "../http.ts"
import { libraries } from "../libraries/libraries.ts"
import type { OAuthSteps, Site } from "../libraries/library.ts"
import { startProvider } from "../provider.ts"
import {
  assertNoSession,
  assertTestUser,
  UnexpectedResponseError,
} from "../workloads/assertions.ts"
import {
  type ColdSubjectId,
  coldSubjectIds,
  type ScenarioId,
  scenarioIds,
  scenarios,
  scenariosBySubject,
} from "./cold-measurement.ts"
import type { ColdTask } from "./subject.ts"

/** A process to start. */
export interface ColdScenario {
  readonly id: ScenarioId
  readonly subject: ColdSubjectId
  readonly task: ColdTask
  /** Throws if the answer to the request is wrong. */
  readonly check: (answer: HttpResponse) => void
}

const origin = "http://localhost:3000"

const requestIds = scenarioIds.filter((id) => id !== "import")

/** Returns the scenarios of all libraries, those that are compared one after the other. */
export async function createColdScenarios(): Promise<readonly ColdScenario[]> {
  const created: ColdScenario[] = []
  for (const subject of coldSubjectIds) created.push(...(await createScenarios(subject)))
  return created.sort((a, b) => scenarioIds.indexOf(a.id) - scenarioIds.indexOf(b.id))
}

async function createScenarios(subject: ColdSubjectId): Promise<readonly ColdScenario[]> {
  const importScenario = { id: "import", subject, task: {}, check: () => undefined } as const
  const ids: readonly ScenarioId[] = scenariosBySubject[subject]
  if (!ids.includes("session")) return [importScenario]
  return [importScenario, ...(await createRequestScenarios(subject))]
}

async function createRequestScenarios(subject: ColdSubjectId): Promise<readonly ColdScenario[]> {
  if (subject === "empty") {
    const scenario = { subject, task: createTask(home), check: assertNoSession }
    return requestIds.map((id) => ({ id, ...scenario }))
  }
  return withSite(subject, async (site) => {
    const steps = await site.createOAuthSteps?.()
    if (!steps) throw new TypeError(`${subject} does not sign in with providers`)
    const session = {
      subject,
      task: createTask(await createSessionCheck(site)),
      check: assertTestUser,
    }
    const start = {
      subject,
      task: createTask(replaceProvider(steps.startRequest)),
      check: (answer: HttpResponse) => assertGitHub(answer, steps),
    }
    return requestIds.map((id) => ({
      id,
      ...(scenarios[id].request === "session" ? session : start),
    }))
  })
}

/** Runs the library in this process, which creates the cookies. */
async function withSite<T>(
  id: Exclude<ColdSubjectId, "empty">,
  use: (site: Site) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  const originalFetch = globalThis.fetch
  globalThis.fetch = startProvider().fetch
  try {
    return await use(await libraries[id].openSite("sealed", origin, folder))
  } finally {
    globalThis.fetch = originalFetch
    await rm(folder, { recursive: true, force: true })
  }
}

const home: HttpRequest = { method: "GET", path: "/" }

async function createSessionCheck(site: Site): Promise<HttpRequest> {
  const [cookie = ""] = await site.createSessionCookies(1)
  const others = site.createOtherCookies ? `; ${await site.createOtherCookies()}` : ""
  return { ...site.sessionRequest, cookie: cookie + others }
}

/** Starts with GitHub, which needs no discovery, so that nothing is fetched. */
function replaceProvider(request: HttpRequest): HttpRequest {
  return {
    ...request,
    path: request.path.replace(/\/id$/, "/github"),
    ...(request.json ? { json: { ...request.json, provider: "github" } } : {}),
  }
}

function assertGitHub(answer: HttpResponse, steps: OAuthSteps): void {
  const url = steps.readAuthorizationUrl(answer)
  if (!url?.startsWith("https://github.com/login/oauth/authorize?"))
    throw new UnexpectedResponseError("a redirect to GitHub", answer)
}

function createTask(request: HttpRequest): ColdTask {
  const body = encodeBody(request)
  return {
    request: {
      url: origin + request.path,
      method: request.method,
      headers: createHeaders(request, origin),
      ...(body === undefined ? {} : { body }),
    },
  }
}
