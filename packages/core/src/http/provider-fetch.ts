/** Requests to providers: limited in time and size, over TLS, without redirects. */
import { readStream } from "./incoming-request.ts"
import { isSecureEndpoint } from "./private-hosts.ts"
import { unlessRejected } from "./timeout.ts"

/** How long a provider may take to respond, including the body, in milliseconds. */
const providerTimeout = 10_000
/** The largest response in bytes. */
const maxResponseSize = 1_048_576

/** Thrown for what an endpoint of a provider must not do. */
export class ProviderFetchError extends Error {
  override name = "ProviderFetchError"
  /** Whether the provider did not respond, or has failed. */
  readonly isTemporary: boolean

  constructor(message: string, options: ErrorOptions & { isTemporary?: boolean } = {}) {
    super(message, options)
    this.isTemporary = options.isTemporary ?? options.cause !== undefined
  }
}

/** `fetch` with options that may be undefined, like those of the protocol library. */
export type ProviderFetch = (
  input: string | URL,
  init?: { [Name in keyof RequestInit]?: RequestInit[Name] | undefined },
) => Promise<Response>

/** How to send requests to one provider. */
export interface ProviderFetchOptions {
  /** Replaces the platform's `fetch`. */
  fetch: typeof fetch | undefined
  /** Accepts plain http for hosts other than this machine. */
  allowInsecure: boolean
}

/**
 * Creates a `fetch` whose responses are complete: their bodies have been read.
 *
 * @param signal aborts with the request that is being handled
 * @throws ProviderFetchError (from the returned function) for an endpoint without TLS, a redirect, or a response that is
 *   too late or too large
 */
export function createProviderFetch(
  options: ProviderFetchOptions,
  signal?: AbortSignal,
): ProviderFetch {
  return async (input, init) => {
    const url = new URL(input)
    const endpoint = url.origin + url.pathname
    if (!isSecureEndpoint(url, options.allowInsecure))
      throw new ProviderFetchError(`${endpoint} is not an https URL.`)
    const controller = new AbortController()
    const abort = (result: string, cause: unknown): Error => {
      controller.abort(cause)
      return new ProviderFetchError(`The request to ${endpoint} ${result}.`, { cause })
    }
    if (signal?.aborted) throw abort("was aborted", signal.reason)
    const request = { ...init, redirect: "manual", signal: controller.signal } as const
    const response = sendRequest(options.fetch ?? fetch, input, request, endpoint)
    // Rejects even if a custom `fetch` ignores the signal.
    return unlessRejected(response, (reject) => {
      const result = `did not answer within ${providerTimeout / 1000} s`
      const onTimeout = () => reject(abort(result, createTimeoutReason()))
      const onAbort = () => reject(abort("was aborted", signal?.reason))
      const timer = setTimeout(onTimeout, providerTimeout)
      signal?.addEventListener("abort", onAbort)
      return () => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", onAbort)
      }
    })
  }
}

/** Creates the reason that `AbortSignal.timeout` has, whose timer would run on after the response. */
const createTimeoutReason = () =>
  new DOMException("The operation was aborted due to timeout", "TimeoutError")

/** Sends a request, and reads the response. */
async function sendRequest(
  send: typeof fetch,
  input: string | URL,
  init: Parameters<ProviderFetch>[1] & { signal: AbortSignal },
  endpoint: string,
): Promise<Response> {
  try {
    // `fetch` treats an undefined option like an absent one.
    const response = await send(input, init as RequestInit)
    return await readFullResponse(response, endpoint, init.signal)
  } catch (cause) {
    if (cause instanceof ProviderFetchError) throw cause
    const reason = getNetworkReason(cause)
    throw new ProviderFetchError(`The request to ${endpoint} failed: ${reason}`, { cause })
  }
}

/** Returns the innermost message of a network error: that of `fetch` itself is only "fetch failed". */
function getNetworkReason(error: unknown): string {
  const { message, code, cause } = Object(error)
  return (cause ? getNetworkReason(cause) : "") || String(message || code || error)
}

async function readFullResponse(
  response: Response,
  endpoint: string,
  signal: AbortSignal,
): Promise<Response> {
  const { status, statusText, headers } = response
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    throw new ProviderFetchError(`${endpoint} answered with a redirect, which is not followed.`)
  }
  const createTooLargeError = () =>
    new ProviderFetchError(`${endpoint} answered with more than ${maxResponseSize} bytes.`)
  const body =
    response.body && (await readStream(response.body, maxResponseSize, createTooLargeError, signal))
  const init = { status, statusText, headers }
  const isEmpty = body === null || status === 204 || status === 205
  return new Response(isEmpty ? null : body, init)
}
