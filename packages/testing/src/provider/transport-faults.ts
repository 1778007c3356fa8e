import type { RecordedRequest, Responder } from "./types.ts"

/** Faults that are independent of the content of a response. */
export type TransportFault =
  | "hang"
  | "endless"
  | "oversized"
  | "network-error"
  | "redirect"
  | "redirect-303"
  | "redirect-307"
  | "redirect-away"

/** The target of the provider's redirects, which always responds honestly. */
export const redirectTargetPath = "/moved"

// Captured before a test installs fake timers, because the slow response must keep going.
const { setTimeout } = globalThis

/** Redirects to the honest response, so that a client that follows gets what it wants. */
const createRedirectResponder =
  (status: number): Responder =>
  async (request) => {
    const location = new URL(request.url)
    location.pathname = `${redirectTargetPath}${location.pathname}`
    return new Response(null, { status, headers: { location: location.href } })
  }

/** The predefined faults, by name. */
export const transportFaults: Readonly<Record<TransportFault, Responder>> = {
  hang: ({ signal }) => rejectOnAbort(signal),
  endless: async (request, createResponse) =>
    appendToBody(await createResponse(), streamSpaces(request)),
  oversized: async (_, createResponse) =>
    appendToBody(await createResponse(), generatePadding(2 * 1024 * 1024)),
  "network-error": () => {
    throw new TypeError("fetch failed", { cause: new Error("ECONNRESET") })
  },
  redirect: createRedirectResponder(302),
  "redirect-303": createRedirectResponder(303),
  "redirect-307": createRedirectResponder(307),
  "redirect-away": async () =>
    new Response(null, { status: 307, headers: { location: "https://evil.example/collect" } }),
}

/** Never resolves. Rejects with the reason of the signal. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}

/** Appends white space to the honest JSON, which stays valid for a client that reads it to the end. */
async function appendToBody(response: Response, suffix: AsyncGenerator<string>): Promise<Response> {
  const start = await response.text()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(start)),
    pull: async (stream) => {
      const { done, value } = await suffix.next()
      if (done) stream.close()
      else stream.enqueue(encoder.encode(value))
    },
    cancel: async () => void (await suffix.return(undefined)),
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}

/** Yields a hundred spaces per second, without end. */
async function* streamSpaces({ signal }: RecordedRequest): AsyncGenerator<string> {
  while (!signal.aborted) {
    yield " "
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function* generatePadding(size: number): AsyncGenerator<string> {
  const chunk = " ".repeat(16 * 1024)
  for (let sent = 0; sent < size; sent += chunk.length) yield chunk
}
