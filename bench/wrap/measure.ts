/** Measures how long a request takes that `wrap` of `@latchkey/fetch` passes on, compared with the same one without it. */
import { FetchAuth } from "@latchkey/fetch"
import type { BenchOptions } from "../options.ts"
import { printLine } from "../progress.ts"
import { describeMachine } from "../report/machine.ts"
import { type WrapRound, writeResults } from "../report/results.ts"
import { UnexpectedResponseError } from "../workloads/assertions.ts"

const url = "https://app.example/page?a=1"
const respond = () => new Response("Hello")

const auth = FetchAuth({ providers: [], secret: "a secret of the benchmark, worth nothing" })
const wrapped = auth.wrap(respond)

/** Returns a summary. */
export async function measureWrap(options: BenchOptions): Promise<string> {
  const { wrapRounds, wrapRequests, writesResults } = options
  console.log("A request that is passed on")
  const machine = describeMachine(["@latchkey/fetch"])
  for (const handle of [respond, wrapped]) {
    const body = await (await handle(new Request(url))).text()
    if (body !== "Hello") throw new UnexpectedResponseError("the response of the application", body)
  }
  // The first round compiles the code.
  await measureRound(wrapRequests)
  const rounds: WrapRound[] = []
  for (let round = 0; round < wrapRounds; round++) rounds.push(await measureRound(wrapRequests))
  if (writesResults) writeResults("wrap", { machine, rounds })
  printLine(`  ${wrapRounds} rounds, answers are right`)
  return `wrapped requests in each round: ${wrapRequests}`
}

async function measureRound(requests: number): Promise<WrapRound> {
  return { plain: await measure(respond, requests), wrapped: await measure(wrapped, requests) }
}

/** Returns microseconds for each request, with those that create it. */
async function measure(
  handle: (request: Request) => Response | Promise<Response>,
  requests: number,
): Promise<number> {
  const start = performance.now()
  for (let count = 0; count < requests; count++) await handle(new Request(url))
  return ((performance.now() - start) * 1000) / requests
}
