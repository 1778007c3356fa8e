/** Counts what an operation creates and calls, by replacing functions and classes of Node.js with counting ones. */
import { createHook } from "node:async_hooks"
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import * as sqlite from "node:sqlite"
import type { FigureId } from "./figures.ts"

/**
 * Called for each count.
 *
 * @param origin has the stack of the counted call, if that is not the current one
 */
export type CountListener = (figure: FigureId, origin?: Error) => void

let listener: CountListener | undefined

/** Calls a function for each count from now on, or for none. */
export function listenToCounts(newListener: CountListener | undefined): void {
  listener = newListener
}

const count: CountListener = (figure, origin) => listener?.(figure, origin)

const cryptoCalls = {
  hashes: ["createHash", "hash", "createHmac"],
  ciphers: ["createCipheriv", "createDecipheriv"],
  signatures: ["sign", "verify", "createSign", "createVerify"],
  keys: ["createSecretKey", "createPublicKey", "createPrivateKey", "hkdf", "hkdfSync"],
} as const

const webCryptoCalls = {
  hashes: ["digest"],
  ciphers: ["encrypt", "decrypt"],
  keys: ["importKey", "exportKey", "deriveBits", "deriveKey", "generateKey"],
} as const

/** Global classes, with their functions that do the same work as the constructor. */
const globalClasses = {
  Request: { figure: "requests", functions: [] },
  Response: { figure: "responses", functions: ["json", "redirect", "error"] },
  Headers: { figure: "headers", functions: [] },
  URL: { figure: "urls", functions: ["parse", "canParse"] },
  URLSearchParams: { figure: "searchParams", functions: [] },
  TextEncoder: { figure: "textCoders", functions: [] },
  TextDecoder: { figure: "textCoders", functions: [] },
  ReadableStream: { figure: "streams", functions: [] },
  AbortController: { figure: "abortControllers", functions: [] },
} as const satisfies Record<string, { figure: FigureId; functions: readonly string[] }>

/**
 * Installs the counters. Call it before anything that is counted is imported, because a module may keep the functions
 * that it found.
 *
 * @throws TypeError if this Node.js lacks one of the functions
 */
export function installCounters(): void {
  for (const [figure, names] of Object.entries(cryptoCalls))
    for (const name of names) countCalls(crypto, name, figure as FigureId) // a key of the table
  for (const [figure, names] of Object.entries(webCryptoCalls))
    for (const name of names) countCalls(SubtleCrypto.prototype, name, figure as FigureId)
  for (const name of ["sign", "verify"])
    replaceMethod(SubtleCrypto.prototype, name, ([, key]) =>
      count(usesHmac(key) ? "hashes" : "signatures"),
    )
  for (const [name, { figure, functions }] of Object.entries(globalClasses)) {
    for (const each of functions) countCalls(Reflect.get(globalThis, name), each, figure)
    Reflect.set(globalThis, name, createCountingClass(Reflect.get(globalThis, name), figure))
  }
  for (const name of ["parse", "stringify"]) countCalls(JSON, name, "json")
  countCalls(sqlite.DatabaseSync.prototype, "prepare", "sqlPrepares")
  countCalls(sqlite.DatabaseSync.prototype, "exec", "sqlStatements")
  for (const name of ["get", "all", "run", "iterate"])
    countCalls(sqlite.StatementSync.prototype, name, "sqlStatements")
  countCalls(globalThis, "fetch", "fetches")
  syncBuiltinESMExports()
  countAsyncResources()
}

const usesHmac = (key: unknown): boolean =>
  key instanceof CryptoKey && key.algorithm.name === "HMAC"

const countCalls = (target: object, name: string, figure: FigureId): void =>
  replaceMethod(target, name, () => count(figure))

function replaceMethod(
  target: object,
  name: string,
  beforeCall: (args: readonly unknown[]) => void,
): void {
  const original: unknown = Reflect.get(target, name)
  if (typeof original !== "function") throw new TypeError(`This Node.js has no function ${name}`)
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]) {
    beforeCall(args)
    return Reflect.apply(original, this, args)
  })
}

function createCountingClass<Class extends new (...args: never[]) => object>(
  original: Class,
  figure: FigureId,
): Class {
  return new Proxy(original, {
    construct(target, args, newTarget) {
      count(figure)
      return Reflect.construct(target, args, newTarget)
    },
  })
}

/** Resources that need no thread of the pool. */
const otherResources = new Set(["Immediate", "Microtask", "TickObject"])

function countAsyncResources(): void {
  const possibleJobs = new Map<number, Error>()
  createHook({
    init(asyncId, type) {
      if (type === "PROMISE") count("promises")
      else if (type === "Timeout") count("timers")
      else if (listener && !otherResources.has(type)) possibleJobs.set(asyncId, new Error(type))
    },
    // A synchronous call also creates the resource of a job, but never calls back.
    before(asyncId) {
      const origin = possibleJobs.get(asyncId)
      if (origin && possibleJobs.delete(asyncId)) count("poolJobs", origin)
    },
  }).enable()
}
