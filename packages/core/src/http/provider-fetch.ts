/** Requests to providers: bounded in time and size, by TLS, without redirects. */
import { isLoopbackHost } from "./private-hosts.ts"

/** How long a provider may take to answer, body included, in milliseconds. */
const providerTimeout = 10_000
/** Largest answer in bytes. */
const maxResponseSize = 1_048_576

/** What a provider's endpoint did that it may not do. */
class ProviderFetchError extends Error {
  override name = "OutboundError"
}

/** `fetch` as it is used here: its options may be undefined, as those of the protocol library are. */
export type ProviderFetch = (
  input: string | URL,
  init?: { [Name in keyof RequestInit]?: RequestInit[Name] | undefined },
) => Promise<Response>

/** How requests to one provider are made. */
export interface ProviderFetchOptions {
  /** Replaces the platform's `fetch`. */
  fetch: typeof fetch | undefined
  /** Accepts plain http beyond this machine. */
  allowInsecure: boolean
  /** Aborts with the request that is being answered. */
  signal: AbortSignal | undefined
}

/**
 * Makes a `fetch` whose answers are complete: the body has been read.
 *
 * @throws OutboundError (from the returned function) for an endpoint without TLS, a redirect, an answer that
 *   is late or too large
 */
export function createProviderFetch(options: ProviderFetchOptions): ProviderFetch {
  return async (input, init) => {
    const url = new URL(input)
    assertSecureUrl(url, options.allowInsecure)
    const timeout = AbortSignal.timeout(providerTimeout)
    const signal = AbortSignal.any(options.signal ? [timeout, options.signal] : [timeout])
    const endpoint = url.origin + url.pathname
    const sendRequest = async (): Promise<Response> => {
      // An option that is undefined is the same to `fetch` as one that is absent.
      const request = { ...init, redirect: "manual", signal } as RequestInit
      const response = await (options.fetch ?? fetch)(input, request)
      return readFullResponse(response, endpoint, signal)
    }
    return Promise.race([sendRequest(), rejectOnAbort(signal, timeout, endpoint)])
  }
}

/**
 * Refuses endpoints that codes and secrets must not be sent to.
 *
 * @throws OutboundError
 */
export function assertSecureUrl(url: URL, allowInsecure: boolean): void {
  if (url.protocol === "https:") return
  if (url.protocol === "http:" && (allowInsecure || isLoopbackHost(url.hostname))) return
  throw new ProviderFetchError(`${url.origin}${url.pathname} is not an https URL.`)
}

/** Ends the wait even where a replaced `fetch` does not listen to its signal. */
function rejectOnAbort(
  signal: AbortSignal,
  timeout: AbortSignal,
  endpoint: string,
): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => {
      const seconds = providerTimeout / 1000
      const reason = timeout.aborted ? `did not answer within ${seconds} s` : "was given up"
      reject(
        new ProviderFetchError(`The request to ${endpoint} ${reason}.`, { cause: signal.reason }),
      )
    }
    if (signal.aborted) end()
    else signal.addEventListener("abort", end, { once: true })
  })
}

async function readFullResponse(
  response: Response,
  endpoint: string,
  signal: AbortSignal,
): Promise<Response> {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel()
    throw new ProviderFetchError(`${endpoint} answered with a redirect, which is not followed.`)
  }
  const { status, statusText, headers } = response
  const body =
    response.body === null ? null : await readBoundedBody(response.body, endpoint, signal)
  return new Response(status === 204 || status === 205 ? null : body, {
    status,
    statusText,
    headers,
  })
}

async function readBoundedBody(
  stream: ReadableStream<Uint8Array>,
  endpoint: string,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream.getReader()
  const stop = () => void reader.cancel().catch(() => undefined) // nothing of it is wanted any more
  signal.addEventListener("abort", stop, { once: true })
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxResponseSize) {
      stop()
      throw new ProviderFetchError(`${endpoint} answered with more than ${maxResponseSize} bytes.`)
    }
    chunks.push(value)
  }
  const all = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.byteLength
  }
  return all
}
