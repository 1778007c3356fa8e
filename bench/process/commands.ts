/** The messages between the benchmark and a subject. */
import type { HttpRequest, HttpResponse } from "../http.ts"
import type { WorkloadId } from "../workloads/workload.ts"

/** The transport with which a subject is measured. */
export type Transport = "process" | "http"

/** The duration of a workload. */
export interface Measurement {
  /** Microseconds from request to response, on average. */
  readonly time: number
  /** Processor time for one response in microseconds, of all threads of the subject. */
  readonly cpu: number
  readonly runCount: number
}

/** Other differences between subjects. */
export interface LibraryFacts {
  /** Whether it refuses an ID token with a foreign signature. */
  readonly verifiesIdTokens: boolean
  /** Its requests to the provider during one start of a sign-in, and during one callback, by path. */
  readonly requestsAtStart: Readonly<Record<string, number>>
  readonly requestsAtCallback: Readonly<Record<string, number>>
}

/** The commands and their results. */
export interface Commands {
  /** Runs each workload once and checks the responses. */
  prove: { readonly question: object; readonly answer: readonly WorkloadId[] }
  facts: { readonly question: object; readonly answer: LibraryFacts | undefined }
  /** Measures a workload in process. */
  measure: {
    readonly question: { readonly work: WorkloadId; readonly milliseconds: number }
    readonly answer: Measurement
  }
  /** Returns the requests to send over HTTP, and their port. */
  asks: {
    readonly question: { readonly work: WorkloadId; readonly count: number }
    readonly answer: {
      readonly port: number
      readonly status: number
      readonly asks: readonly HttpRequest[]
    }
  }
  check: {
    readonly question: { readonly work: WorkloadId; readonly reply: HttpResponse }
    readonly answer: true
  }
  /** Returns the processor time of this process so far, in microseconds. */
  cpu: { readonly question: object; readonly answer: number }
}

export type CommandName = keyof Commands

/** A command as it is sent. */
export type CommandMessage = {
  [Name in CommandName]: { readonly name: Name } & Commands[Name]["question"]
}[CommandName]

/** A result as it is sent. */
export type ReplyMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly reason: string }
