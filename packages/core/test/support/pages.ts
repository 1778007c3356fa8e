/** The client in pages of an application: real requests to the real engine, and a network that can be cut. */
import { type Client, type ClientOptions, createClient } from "@latchkey/core/client"
import { type App, type Browser, browser } from "@latchkey/testing"

/** How the network is: what happens to a request before the application sees it. */
type Network = "up" | "down" | ((request: Request) => Between | Promise<Between>)

/** What answers in place of the application. */
type Between = Response | undefined

export interface Pages {
  readonly who: Browser
  /** The requests that left the browser: method, and path under the origin. */
  readonly asked: string[]
  network: Network
  /** Opens a page: a client of its own, with the cookies of the browser. */
  open(options?: ClientOptions): Client
  /** Waits until whatever was asked for on the side has been answered. */
  settled(): Promise<void>
}

/** A browser at an application. */
export function pages(app: App): Pages {
  const asked: string[] = []
  const running = new Set<Promise<unknown>>()
  const watched: App = async (request) => {
    const { pathname, search } = new URL(request.url)
    asked.push(`${request.method} ${pathname}${search}`)
    if (opened.network === "down") throw new TypeError("the network is down")
    const between = opened.network === "up" ? undefined : await opened.network(request)
    return between ?? app(request)
  }
  const who = browser(watched)
  const fetch: ClientOptions["fetch"] = (url, { method = "GET", headers, body }) => {
    const answer = send(who, url, method, new Headers(headers), body)
    const done: Promise<unknown> = answer.catch(() => {}).finally(() => running.delete(done))
    running.add(done)
    return answer
  }
  const opened: Pages = {
    who,
    asked,
    network: "up",
    open: (options = {}) => createClient({ origin: who.origin, fetch, ...options }),
    async settled() {
      do {
        await Promise.all(running)
        // Messages between tabs, and what becomes of an answer, take a turn each.
        await new Promise((resolve) => setTimeout(resolve, 20))
      } while (running.size > 0)
    },
  }
  return opened
}

async function send(
  who: Browser,
  url: string,
  method: string,
  headers: Headers,
  body: BodyInit | null | undefined,
): Promise<Response> {
  if (body === null || body === undefined) return who.fetch(url, { method })
  // What a browser derives from the kind of body.
  const sent = new Request(url, { method, headers, body })
  return who.fetch(url, {
    method,
    headers: Object.fromEntries(sent.headers),
    body: await sent.text(),
  })
}
