/** A request as the engine reads it, from servers with and without web objects. */
import { InvalidRequest } from "../errors.ts"
import { type Bytes, concatBytes } from "../runtime/bytes.ts"

/** Reads single headers, as `Headers` does. */
export type HeaderReader = Pick<Headers, "get">

/** The headers of a request. A `Headers` is one. */
export interface RequestHeaders extends HeaderReader, Iterable<[name: string, value: string]> {}

/** A body that nothing has read yet. */
export interface UnreadBody {
  /**
   * Reads the body.
   *
   * @param maxSize in bytes; the rest of a longer body is discarded
   * @throws the result of `createTooLargeError` for a longer body
   */
  read(maxSize: number, createTooLargeError: () => Error): Promise<Bytes>
}

/** A request to one of the actions. Servers without web objects do not have to create them. */
export interface IncomingRequest {
  /** In upper case. */
  readonly method: string
  readonly headers: RequestHeaders
  /** The body; its bytes if other code has read it, and undefined if there is none. */
  readonly body: UnreadBody | Bytes | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal | undefined
  /** The address of the client: of the connection, or what the framework takes from proxies that it trusts. */
  readonly clientAddress: string | undefined
}

/** The request of a server that uses web objects. */
export class IncomingWebRequest implements IncomingRequest {
  readonly method: string
  readonly headers: Headers
  readonly clientAddress: string | undefined
  readonly #request: Request

  constructor(request: Request, clientAddress?: string) {
    this.method = request.method
    this.headers = request.headers
    this.clientAddress = clientAddress
    this.#request = request
  }

  get body(): UnreadBody | undefined {
    const { body, bodyUsed } = this.#request
    if (body === null) return undefined
    return {
      read(maxSize, createTooLargeError) {
        if (!bodyUsed && !body.locked) return readStream(body, maxSize, createTooLargeError)
        throw new InvalidRequest(400, {
          expected: "a request whose body has not been read",
          hint: "Code that ran before the library consumed the body: pass the original request.",
        })
      },
    }
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}

/**
 * Reads a body of limited size.
 *
 * @param createTooLargeError creates the error to throw for more than `maxSize` bytes
 * @param signal cancels the stream when it aborts
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxSize: number,
  createTooLargeError: () => Error,
  signal?: AbortSignal,
): Promise<Bytes> {
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined) // nothing needs the rest
  signal?.addEventListener("abort", cancel, { once: true })
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxSize) {
      cancel()
      throw createTooLargeError()
    }
    chunks.push(value)
  }
  return concatBytes(chunks)
}
