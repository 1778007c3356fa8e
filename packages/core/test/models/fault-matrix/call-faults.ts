/** The ways in which a call that leaves the process can fail. */
import { inspect } from "node:util"

export interface CallFault {
  readonly name: string
  /** Whether the call never ends. */
  readonly hangs: boolean
  apply(call: () => unknown, parameters: readonly unknown[]): unknown
}

/** Not one promise for all calls, which would keep everything that waits for it. */
const createHangingPromise = () => new Promise<never>(() => undefined)

/** An error like those of drivers, which repeat what they were called with. */
function createError(parameters: readonly unknown[]): Error {
  const text = inspect(parameters, { depth: 4, breakLength: Infinity })
  return Object.assign(new Error(`connection lost: ${text}`), { parameters })
}

const createFault = (name: string, apply: CallFault["apply"], hangs = false): CallFault => ({
  name,
  hangs,
  apply,
})

/** A call that does its work, but returns something else. */
const createGarbage = (name: string, change: (result: unknown) => unknown): CallFault =>
  createFault(`returns ${name}`, (call) => {
    const result = call()
    return result instanceof Promise ? result.then(change) : change(result)
  })

const failures: readonly CallFault[] = [
  createFault("throws", (_, parameters) => {
    throw createError(parameters)
  }),
  createFault("rejects", async (_, parameters) => {
    throw createError(parameters)
  }),
  createFault("rejects with undefined", () => Promise.reject()),
  createFault("hangs", createHangingPromise, true),
]

/** The faults of every function but `fetch`. */
export const functionFaults: readonly CallFault[] = [
  ...failures,
  createFault("rejects after its work", async (call, parameters) => {
    await call()
    throw createError(parameters)
  }),
  createGarbage("null", () => null),
  createGarbage("undefined", () => undefined),
  createGarbage("a number", () => 42),
  createGarbage("a text", () => "garbage"),
  createGarbage("an empty object", () => ({})),
  createGarbage("wrong types", corrupt),
]

/** The faults of a request to a provider. */
export const fetchFaults: readonly CallFault[] = [
  ...failures,
  createGarbage("null", () => null),
  createGarbage("an empty object", () => ({})),
  createGarbage("status 500", () => Response.json({ error: "server_error" }, { status: 500 })),
  createGarbage(
    "a page",
    () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
  ),
  createGarbage("JSON without members", () => Response.json({})),
  createGarbage("JSON that is null", () => Response.json(null)),
  createFault("returns truncated JSON", (call) =>
    changeText(call, (text) => text.slice(0, text.length / 2)),
  ),
  createFault("returns JSON with wrong types", (call) =>
    changeText(call, (text) => JSON.stringify(corrupt(JSON.parse(text)))),
  ),
  createFault("returns an endless body", () => createStreamResponse(() => new Uint8Array(65_536))),
  createFault("returns a body that hangs", () => createStreamResponse(createHangingPromise), true),
]

async function changeText(call: () => unknown, change: (text: string) => string) {
  const response = (await call()) as Response
  const { status, headers } = response
  return new Response(change(await response.text()), { status, headers })
}

function createStreamResponse(createChunk: () => Uint8Array<ArrayBuffer> | Promise<never>) {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => controller.enqueue(await createChunk()),
  })
  return new Response(body, { headers: { "content-type": "application/json" } })
}

/** Gives every member another type. Texts become lists, which are equal to the text once they are joined. */
function corrupt(value: unknown): unknown {
  if (value instanceof Date) return "tomorrow"
  if (Array.isArray(value)) return value.map(corrupt)
  if (typeof value === "string") return [value]
  if (typeof value === "number") return `${value}`
  if (typeof value === "boolean") return "no"
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, corrupt(item)]))
}
