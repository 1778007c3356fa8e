/** The workloads of the benchmark, on Latchkey's sites in the benchmark. */
import { createHandlerSender, type HttpResponse, type SendRequest } from "../../bench/http.ts"
import { latchkeyLibrary } from "../../bench/libraries/latchkey.ts"
import { assertNoSession } from "../../bench/workloads/assertions.ts"
import {
  createCommonWorkloads,
  findSiteId,
  type Sites,
} from "../../bench/workloads/create-workloads.ts"
import type { RequestWorkload, WorkloadId } from "../../bench/workloads/workload.ts"

/** A workload that can be run operation by operation. */
export interface OpenWorkload {
  readonly id: string
  /** Creates operations, each for one run. */
  createOperations(count: number): Promise<readonly Operation[]>
  /** Throws if a response is wrong. */
  check(response: HttpResponse): Promise<void>
}

/** Sends a request and reads the response. */
export type Operation = () => Promise<HttpResponse>

const origin = "http://localhost:3000"

/** The least that any workload needs: a request and a response. */
const emptyWorkload: RequestWorkload = {
  kind: "sent",
  status: 200,
  usesRequestOnce: false,
  createRequests: async (count) =>
    Array.from({ length: count }, () => ({ method: "GET", path: "/" })),
  check: async (response) => assertNoSession(response),
}

/**
 * Opens the workloads that send requests.
 *
 * @param folder a temporary folder for databases
 */
export async function openWorkloads(folder: string): Promise<readonly OpenWorkload[]> {
  // The shared site is left out, because it is the one with stored sessions.
  const sites: Sites = {
    sealed: await latchkeyLibrary.openSite("sealed", origin, folder),
    stored: await latchkeyLibrary.openSite("stored", origin, folder),
    ...(await openFourProviderSite()),
  }
  const sendEmpty = createHandlerSender(origin, async () => new Response("null"))
  const opened = [openWorkload("empty", emptyWorkload, sendEmpty)]
  for (const [id, workload] of Object.entries(await createCommonWorkloads(sites))) {
    if (workload.kind !== "sent") continue
    const site = sites[findSiteId(id as WorkloadId)] // the keys of a table of workloads
    if (site) opened.push(openWorkload(id, workload, site.send))
  }
  return opened
}

async function openFourProviderSite(): Promise<Pick<Sites, "fourProviders">> {
  const fourProviders = await latchkeyLibrary.openFourProviderSite?.(origin)
  return fourProviders ? { fourProviders } : {}
}

function openWorkload(id: string, workload: RequestWorkload, send: SendRequest): OpenWorkload {
  return {
    id,
    async createOperations(count) {
      const requests = await workload.createRequests(count)
      return requests.map((request) => () => send(request))
    },
    check: (response) => workload.check(response),
  }
}
