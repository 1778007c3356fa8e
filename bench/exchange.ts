/** A request and its answer, the same for every library and both ways there: in process and over HTTP. */

/** What a browser would send. */
export interface Ask {
  readonly method: "GET" | "POST"
  /** Path and query. */
  readonly path: string
  /** The `Cookie` header. */
  readonly cookie?: string
  /** Fields of a form. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: object
}

/** What came back, its body read. */
export interface Reply {
  readonly status: number
  readonly body: string
  readonly location: string | undefined
  readonly setCookies: readonly string[]
}

/** Sends a request and reads the answer to its end. */
export type Send = (ask: Ask) => Promise<Reply>

/** A library that takes a `Request` and gives a `Response`, as something to send to. */
export function sendToHandler(
  origin: string,
  handle: (request: Request) => Promise<Response>,
): Send {
  return async (ask) => {
    const init: RequestInit = { method: ask.method, headers: headersOf(ask, origin) }
    const body = bodyOf(ask)
    if (body !== undefined) init.body = body
    const response = await handle(new Request(origin + ask.path, init))
    return new WebReply(response, await response.text())
  }
}

/** Reads of a `Response` only what is asked for: making the answer is measured, looking at it is not. */
class WebReply implements Reply {
  readonly body: string
  readonly #response: Response

  constructor(response: Response, body: string) {
    this.#response = response
    this.body = body
  }

  get status(): number {
    return this.#response.status
  }

  get location(): string | undefined {
    return this.#response.headers.get("location") ?? undefined
  }

  get setCookies(): readonly string[] {
    return this.#response.headers.getSetCookie()
  }
}

/** The headers of a request; a form says where it comes from, as browsers do. */
export function headersOf(ask: Ask, origin: string): Record<string, string> {
  const headers: Record<string, string> = {}
  if (ask.cookie !== undefined) headers["cookie"] = ask.cookie
  if (ask.method === "POST") headers["origin"] = origin
  if (ask.form) headers["content-type"] = "application/x-www-form-urlencoded"
  if (ask.json) headers["content-type"] = "application/json"
  return headers
}

/** The body of a request. */
export function bodyOf({ form, json }: Ask): string | undefined {
  if (form) return new URLSearchParams(form).toString()
  return json && JSON.stringify(json)
}

/** The `Cookie` header of a browser that got some answers, the latest last. */
export function cookieHeader(...replies: readonly Reply[]): string {
  const cookies = new Map<string, string>()
  for (const line of replies.flatMap(({ setCookies }) => setCookies)) {
    const [pair = "", ...attributes] = line.split(";")
    const at = pair.indexOf("=")
    const name = pair.slice(0, at).trim()
    const isGone = attributes.some((attribute) => /^\s*max-age=0\s*$/i.test(attribute))
    if (isGone) cookies.delete(name)
    else cookies.set(name, pair.slice(at + 1).trim())
  }
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
}
