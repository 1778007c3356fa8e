/** What the benchmark and a subject say to each other, one question at a time. */
import type { HttpRequest, HttpResponse } from "../http.ts"
import type { WorkloadId } from "../workloads/workload.ts"

/** Where a subject is measured. */
export type Transport = "process" | "http"

/** How long some work took. */
export interface Measurement {
  /** Microseconds from question to answer, on average. */
  readonly time: number
  /** Microseconds that processors worked for one answer, all threads of the subject together. */
  readonly cpu: number
  readonly runCount: number
}

/** What else is worth knowing of a subject. */
export interface LibraryFacts {
  /** Whether it refuses an ID token that somebody else signed. */
  readonly verifiesIdTokens: boolean
  /** What it asks the provider during one start of a sign-in, and during one callback, by path. */
  readonly requestsAtStart: Readonly<Record<string, number>>
  readonly requestsAtCallback: Readonly<Record<string, number>>
}

/** Questions and what is answered to each. */
export interface Commands {
  /** Does each kind of work once and looks at the answers. */
  prove: { readonly question: object; readonly answer: readonly WorkloadId[] }
  facts: { readonly question: object; readonly answer: LibraryFacts }
  /** Does some work in process. */
  measure: {
    readonly question: { readonly work: WorkloadId; readonly milliseconds: number }
    readonly answer: Measurement
  }
  /** Requests to be sent by HTTP, to the port that they come with. */
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
  /** Microseconds that processors worked for this process so far. */
  cpu: { readonly question: object; readonly answer: number }
}

export type CommandName = keyof Commands

/** A question as it is sent. */
export type CommandMessage = {
  [Name in CommandName]: { readonly name: Name } & Commands[Name]["question"]
}[CommandName]

/** An answer as it is sent. */
export type ReplyMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly reason: string }
