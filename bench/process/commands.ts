/** What the benchmark and a subject say to each other, one question at a time. */
import type { Ask, Reply } from "../exchange.ts"
import type { WorkId } from "../tasks/work.ts"

/** Where a subject is measured. */
export type Place = "process" | "http"

/** How long some work took. */
export interface Measurement {
  /** Microseconds from question to answer, on average. */
  readonly time: number
  /** Microseconds that processors worked for one answer, all threads of the subject together. */
  readonly cpu: number
  readonly runs: number
}

/** What else is worth knowing of a subject. */
export interface Facts {
  /** Whether it refuses an ID token that somebody else signed. */
  readonly verifiesIdTokens: boolean
  /** What it asks the provider during one start of a sign-in, and during one callback, by path. */
  readonly requestsAtStart: Readonly<Record<string, number>>
  readonly requestsAtCallback: Readonly<Record<string, number>>
}

/** Questions and what is answered to each. */
export interface Commands {
  /** Does each kind of work once and looks at the answers. */
  prove: { readonly question: object; readonly answer: readonly WorkId[] }
  facts: { readonly question: object; readonly answer: Facts }
  /** Does some work in process. */
  measure: {
    readonly question: { readonly work: WorkId; readonly milliseconds: number }
    readonly answer: Measurement
  }
  /** Requests to be sent by HTTP, to the port that they come with. */
  asks: {
    readonly question: { readonly work: WorkId; readonly count: number }
    readonly answer: {
      readonly port: number
      readonly status: number
      readonly asks: readonly Ask[]
    }
  }
  check: {
    readonly question: { readonly work: WorkId; readonly reply: Reply }
    readonly answer: true
  }
  /** Microseconds that processors worked for this process so far. */
  cpu: { readonly question: object; readonly answer: number }
}

export type CommandName = keyof Commands

/** A question as it is sent. */
export type Question = {
  [Name in CommandName]: { readonly name: Name } & Commands[Name]["question"]
}[CommandName]

/** An answer as it is sent. */
export type Answer =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly reason: string }
