/** Plays the browsers: requests over HTTP to a subject, some at a time on connections that stay open. */
import { Agent, request } from "node:http"
import { type Ask, bodyOf, headersOf, type Reply } from "../exchange.ts"
import { WrongAnswer } from "../tasks/checks.ts"
import type { WorkId } from "../tasks/work.ts"
import type { Child } from "./child.ts"
import type { Measurement } from "./commands.ts"

/** Connections at a time: enough for the server to have always something to do. */
const connections = 4
const agent = new Agent({ keepAlive: true, maxSockets: connections })
/** Most requests at once, for those that have to be made ready one by one. */
const mostRequests = 20_000

/** Measures what a server works for each answer, and how long a number of answers takes. */
export class Load {
  readonly #paces = new Map<string, number>()

  /** @throws WrongAnswer */
  async measure(child: Child, work: WorkId, milliseconds: number): Promise<Measurement> {
    const pace = this.#paces.get(`${child.id} ${work}`) ?? 5000
    const wanted = Math.round((milliseconds * 1000) / pace)
    const runs = Math.max(connections, Math.min(mostRequests, wanted))
    const { asks, port, status } = await child.ask("asks", { work, count: runs })
    const before = await child.ask("cpu", {})
    const start = performance.now()
    const reply = await sendAll(asks, runs, port, status)
    const time = ((performance.now() - start) * 1000) / runs
    const cpu = ((await child.ask("cpu", {})) - before) / runs
    this.#paces.set(`${child.id} ${work}`, time)
    await child.ask("check", { work, reply })
    return { time, cpu, runs }
  }

  /** Closes the connections. */
  static end(): void {
    agent.destroy()
  }
}

async function sendAll(
  asks: readonly Ask[],
  runs: number,
  port: number,
  status: number,
): Promise<Reply> {
  let sent = 0
  let last: Reply | undefined
  const browser = async (): Promise<void> => {
    while (sent < runs) {
      const ask = asks[sent++ % asks.length]
      if (!ask) throw new TypeError("There is nothing to ask")
      last = await send(ask, port)
      if (last.status !== status) throw new WrongAnswer(`status ${status}`, last)
    }
  }
  await Promise.all(Array.from({ length: connections }, browser))
  if (!last) throw new TypeError("Nothing was sent")
  return last
}

function send(ask: Ask, port: number): Promise<Reply> {
  const body = bodyOf(ask)
  const origin = `http://localhost:${port}`
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
  const headers = { ...headersOf(ask, origin), ...length }
  return new Promise((resolve, reject) => {
    const { method, path } = ask
    const options = { agent, host: "localhost", port, method, path, headers }
    const sending = request(options, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.once("error", reject).once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text,
          location: response.headers.location,
          setCookies: response.headers["set-cookie"] ?? [],
        }),
      )
    })
    sending.once("error", reject).end(body)
  })
}
