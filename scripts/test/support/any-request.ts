/** Requests of any bytes, and the work that they cause. */
import fc from "fast-check"
import { expect } from "vitest"
import { propertyRuns } from "../../../packages/core/test/support/property-runs.ts"

/** A request as it is sent. Texts have a character for each byte. */
export interface HostileRequest {
  readonly method: "GET" | "POST"
  /** Path and query. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** The size of the largest part of a request, in bytes. */
export const fullSize = 65_536

const anyByte = fc.nat(255).map((code) => String.fromCharCode(code))
const anyBytes = (maxLength: number) => fc.string({ unit: anyByte, maxLength })
const anyOf = (texts: string) => fc.constantFrom(...texts.split(" "))

const provider = anyOf("oidc email credentials passkey github x %2e __proto__")
const actionPath = fc.oneof(
  anyOf("/ /auth/session /auth/signin /auth/csrf /auth/signout /auth/error /auth/providers"),
  fc
    .tuple(anyOf("signin callback webauthn-options"), provider)
    .map(([action, id]) => `/auth/${action}/${id}`),
)
/** Fields and cookies that the library reads. */
const knownField = anyOf(
  "code state error iss token email callbackUrl action data csrfToken link user password name",
)
const knownCookie = fc
  .tuple(
    anyOf("__Secure-authjs. __Host-authjs. authjs."),
    anyOf("session-token csrf-token callback-url state pkce.code_verifier challenge email-request"),
    anyOf(" .0 .1 .00 .99999 .x"),
  )
  .map((parts) => parts.join(""))
const knownHeader = anyOf(
  "origin referer host x-forwarded-host x-forwarded-proto x-forwarded-for sec-fetch-site sec-fetch-dest accept purpose content-type x-auth-return-redirect user-agent",
)
const contentType = fc.oneof(
  anyOf("application/x-www-form-urlencoded application/json text/plain"),
  fc.constantFrom(
    "multipart/form-data; boundary=b",
    "multipart/form-data",
    "APPLICATION/JSON; a=b",
  ),
)
/** Texts at which parsers stop or loop. */
const syntax = fc.constantFrom(
  ...["%", "%25", "%c3", "&", "=", "a=", "=&", ";", "; ", ",", ".", "..", "/", "//", "\\", "?"],
  ...["[", "]", "[[", "{", "}", '{"a":', '"', '\\"', "\\u0000", "null,", "1e9", "-", "_", ":", "@"],
  ...[
    "__proto__=",
    "constructor",
    "--b\r\n",
    '\r\ncontent-disposition: form-data; name="a"\r\n\r\n',
  ],
  ...[
    "eyJhbGciOiJkaXIifQ.",
    "<",
    "&lt;",
    "\u0000",
    "\u00ff",
    "\u0080",
    " ",
    "\t",
    "\r\n",
    "a",
    "0",
  ],
)
const piece = fc.oneof(syntax, knownField, knownCookie, anyBytes(6))
const shortText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""))
/** A few pieces, repeated to the full size. */
const fullText = fc
  .tuple(shortText, fc.array(piece, { minLength: 1, maxLength: 4 }), shortText)
  .map(([start, pieces, end]) => {
    const unit = pieces.join("") || "a"
    const count = Math.ceil((fullSize - start.length - end.length) / unit.length)
    return (start + unit.repeat(Math.max(count, 0)) + end).slice(0, fullSize)
  })

const createRequest = (path: string, rest: Partial<HostileRequest>): HostileRequest => ({
  method: "GET",
  target: path,
  headers: [],
  body: "",
  ...rest,
})

/** @param text of the part that the attacker chooses */
const requestWith = (text: fc.Arbitrary<string>): fc.Arbitrary<HostileRequest> =>
  fc.oneof(
    text.map((path) => createRequest(`/${path}`, {})),
    fc.tuple(actionPath, text).map(([path, rest]) => createRequest(`${path}${rest}`, {})),
    fc
      .tuple(actionPath, fc.option(knownField, { nil: "" }), text)
      .map(([path, field, query]) => createRequest(`${path}?${field}=${query}`, {})),
    fc
      .tuple(actionPath, fc.option(knownCookie, { nil: "" }), text)
      .map(([path, name, value]) =>
        createRequest(path, { headers: [["cookie", name && `${name}=${value}`]] }),
      ),
    fc
      .tuple(actionPath, knownHeader, text)
      .map(([path, name, value]) => createRequest(path, { headers: [[name, value]] })),
    fc
      .tuple(actionPath, contentType, fc.option(knownField, { nil: "" }), text)
      .map(([path, type, field, value]) =>
        createRequest(path, {
          method: "POST",
          headers: [["content-type", type]],
          body: (field ? `${field}=${value}` : value).slice(0, fullSize),
        }),
      ),
  )

const anyRequest = requestWith(fc.oneof(shortText, anyBytes(200)))
/** One part has the full size. */
const fullRequest = requestWith(fullText)

/** Sends a request to an application, and reads its response. */
export type SendRequest = (hostile: HostileRequest) => Promise<void>

/** Asserts that any request gets a response. */
export function expectResponses(send: SendRequest, numRuns: number): Promise<void> {
  return fc.assert(fc.asyncProperty(anyRequest, send), { numRuns: propertyRuns(numRuns) })
}

/** Asserts that no request with a part of 64 KiB causes much work. */
export function expectLittleWork(send: SendRequest, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(fullRequest, async (hostile) => {
    expect(await measureWork(() => send(hostile))).toBeLessThan(maxWork)
  })
  return fc.assert(property, { numRuns: propertyRuns(numRuns) })
}

/** Sends web requests. @param origin of the application, and what is before the paths of its actions */
export function sendTo(
  handle: (request: Request) => Promise<Response>,
  { origin = "https://app.example", prefix = "" } = {},
): SendRequest {
  return async (hostile) => {
    const request = toWebRequest(origin, prefix, hostile)
    if (!request) return
    const response = await handle(request)
    expect(response).toBeInstanceOf(Response)
    await response.text()
  }
}

/** Creates a web request as a server does: what it cannot carry is refused before any application sees it. */
function toWebRequest(
  origin: string,
  prefix: string,
  { method, target, headers, body }: HostileRequest,
): Request | undefined {
  try {
    const bytes = Uint8Array.from(body, (character) => character.charCodeAt(0))
    return new Request(new URL(origin + target.replace(/^\/auth\b/, `${prefix}/auth`)), {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      ...(method === "POST" && { body: bytes }),
    })
  } catch {
    return undefined
  }
}

/** The most work that a request may cause, in milliseconds. */
export const maxWork = 50

/**
 * Returns the work that a function causes: the CPU time of this process in milliseconds, the least of up to ten runs.
 *
 * This is the only measured time that a test compares. The promise is in milliseconds, and other limits count steps.
 * CPU time does not grow while other processes run. What else this process does, such as collections of garbage, comes in
 * bursts, so a run that takes too long is repeated a little later.
 */
export async function measureWork(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 10 && least > maxWork; attempt += 1) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 100))
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
