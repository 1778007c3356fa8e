import type { RecordedRequest, Responder } from "./types.ts"

/** Ways to answer that have nothing to do with what is answered: security cases 81–83. */
export type Hazard =
  | "hang"
  | "endless"
  | "oversized"
  | "network-error"
  | "redirect"
  | "redirect-303"
  | "redirect-307"
  | "redirect-away"

/** Where the provider answers honestly whatever it was told: the target of its redirects. */
export const honestPath = "/moved"

// Taken when this module loads, before a test installs a false clock: the drip must go on under it.
const { setTimeout } = globalThis

/** Leads to the honest answer: a client that follows gets what it wanted. */
const redirect =
  (status: number): Responder =>
  async (request) => {
    const location = new URL(request.url)
    location.pathname = `${honestPath}${location.pathname}`
    return new Response(null, { status, headers: { location: location.href } })
  }

/** The ready-made hazards, by name; the names can be looped over. */
export const hazards: Readonly<Record<Hazard, Responder>> = {
  hang: ({ signal }) => untilAborted(signal),
  endless: async (request, honest) => followedBy(await honest(), drip(request)),
  oversized: async (_, honest) => followedBy(await honest(), padding(2 * 1024 * 1024)),
  "network-error": () => {
    throw new TypeError("fetch failed", { cause: new Error("ECONNRESET") })
  },
  redirect: redirect(302),
  "redirect-303": redirect(303),
  "redirect-307": redirect(307),
  "redirect-away": async () =>
    new Response(null, { status: 307, headers: { location: "https://evil.example/collect" } }),
}

/** Never resolves; rejects with the reason of the signal. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}

/** The honest JSON with white space behind it: valid, if a client were to read it to the end. */
async function followedBy(honest: Response, rest: AsyncGenerator<string>): Promise<Response> {
  const start = await honest.text()
  const bytes = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(bytes.encode(start)),
    pull: async (stream) => {
      const { done, value } = await rest.next()
      if (done) stream.close()
      else stream.enqueue(bytes.encode(value))
    },
    cancel: async () => void (await rest.return(undefined)),
  })
  const { status, headers } = honest
  return new Response(body, { status, headers })
}

/** Space after space, a hundred a second: never too large, never done. */
async function* drip({ signal }: RecordedRequest): AsyncGenerator<string> {
  while (!signal.aborted) {
    yield " "
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function* padding(size: number): AsyncGenerator<string> {
  const chunk = " ".repeat(16 * 1024)
  for (let sent = 0; sent < size; sent += chunk.length) yield chunk
}
