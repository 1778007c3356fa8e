/** Published advisories of other libraries, and the cases that cover them. */
import { readFileSync } from "node:fs"
import type { Catalogue } from "./catalogue.ts"

/** An advisory, whatever format it was published in. */
export interface Advisory {
  /** Its GHSA and CVE identifiers. */
  readonly ids: readonly string[]
  readonly packages: readonly string[]
  readonly severity: string
  readonly summary: string
  /** Its description, and the names of its weaknesses. */
  readonly text: string
  readonly isWithdrawn: boolean
}

/** A decision about an advisory that no case names. */
interface RecordedAdvisory {
  readonly package: string
  readonly fault: string
  readonly cases?: readonly string[]
  readonly notApplicable?: string
}

/** Decisions by the GHSA identifier of the advisory. */
export type RecordedAdvisories = Readonly<Record<string, RecordedAdvisory>>

export const recordedAdvisories: RecordedAdvisories = JSON.parse(
  readFileSync(new URL("advisories.json", import.meta.url), "utf8"),
)

/** An advisory as GitHub's REST API returns it, or as OSV and GitHub's database publish it. */
interface PublishedAdvisory {
  readonly ghsa_id?: string
  readonly cve_id?: string | null
  readonly description?: string | null
  readonly cwes?: readonly { readonly name?: string }[] | null
  readonly vulnerabilities?: readonly AffectedPackage[] | null
  readonly withdrawn_at?: string | null
  readonly severity?: unknown

  readonly id?: string
  readonly aliases?: readonly string[]
  readonly details?: string
  readonly affected?: readonly AffectedPackage[]
  readonly database_specific?: { readonly severity?: string }
  readonly withdrawn?: string

  readonly summary?: string
}

interface AffectedPackage {
  readonly package?: { readonly name?: string } | null
}

/**
 * Reads advisories in the format of GitHub's REST API, or of OSV: one of them, a list, a list of pages (`--slurp`), or the
 * result of a query to OSV.
 *
 * @throws TypeError for an entry without an identifier
 */
export function parseAdvisories(json: string): Advisory[] {
  const parsed: unknown = JSON.parse(json)
  const list = isQueryResult(parsed) ? parsed.vulns : parsed
  return ([list].flat(2) as PublishedAdvisory[]).map(parseAdvisory)
}

function isQueryResult(value: unknown): value is { vulns: unknown } {
  return typeof value === "object" && value !== null && "vulns" in value
}

function parseAdvisory(published: PublishedAdvisory): Advisory {
  const { ghsa_id, cve_id, id, aliases = [], severity, database_specific } = published
  const ids = [ghsa_id, cve_id, id, ...aliases].filter((each) => typeof each === "string")
  if (ids.length === 0) {
    const received = JSON.stringify(published).slice(0, 100)
    throw new TypeError(`Expected an advisory with "ghsa_id" or "id", received ${received}`)
  }
  const packages = [published.vulnerabilities ?? [], published.affected ?? []]
    .flat()
    .map((affected) => affected.package?.name ?? "unknown package")
  // In the format of OSV, `severity` is a list of vectors.
  const level = typeof severity === "string" ? severity : database_specific?.severity
  const weaknesses = (published.cwes ?? []).map(({ name = "" }) => name)
  const { description, details, summary = "" } = published
  return {
    ids: [...new Set(ids)],
    packages: [...new Set(packages)],
    severity: level?.toLowerCase() ?? "unknown severity",
    summary,
    text: [description ?? details ?? "", ...weaknesses].join(" "),
    isWithdrawn: Boolean(published.withdrawn_at ?? published.withdrawn),
  }
}

/** A case, or a past vulnerability in its catalogue. */
export interface Candidate {
  readonly id: string
  readonly description: string
  readonly notApplicable?: string | undefined
}

/** Returns every case and past vulnerability in the catalogue. */
export function listCandidates({ cases, advisories }: Catalogue): Candidate[] {
  return [
    ...cases.map(({ id, attack, required, notApplicable }) => ({
      id,
      description: `${attack} → ${required}`,
      notApplicable,
    })),
    ...advisories.map(({ id, advisory, cause, cases: shared, notApplicable }) => ({
      id,
      description: `${shared ? `as case ${shared.join(", ")}: ` : ""}${advisory}: ${cause}`,
      notApplicable,
    })),
  ]
}

export type Coverage =
  | { readonly kind: "covered"; readonly cases: readonly Candidate[] }
  | { readonly kind: "not applicable"; readonly reason: string }
  | { readonly kind: "unknown"; readonly similar: readonly Candidate[] }

/** Finds the cases that name an advisory, or what was recorded about it; otherwise the cases that resemble it. */
export function findCoverage(
  advisory: Advisory,
  candidates: readonly Candidate[],
  recorded: RecordedAdvisories,
): Coverage {
  const [decision] = advisory.ids.flatMap((id) => recorded[id] ?? [])
  const cases = candidates.filter(
    ({ id, description }) =>
      decision?.cases?.includes(id) ||
      listIds(description).some((name) => advisory.ids.includes(name)),
  )
  const tested = cases.filter(({ notApplicable }) => !notApplicable)
  if (tested.length > 0) return { kind: "covered", cases: tested }
  const reason = decision?.notApplicable ?? cases[0]?.notApplicable
  if (reason) return { kind: "not applicable", reason }
  return { kind: "unknown", similar: findSimilar(advisory, candidates) }
}

/** Returns the identifiers of advisories in a text. */
export function listIds(text: string): string[] {
  return text.match(/\b(?:CVE|GHSA)(?:-\w+)+/g) ?? []
}

const maxSimilar = 3

/** Returns the cases with the most words in common, of which rare words count more. */
function findSimilar(advisory: Advisory, candidates: readonly Candidate[]): Candidate[] {
  const words = splitWords(`${advisory.summary} ${advisory.text}`)
  const documents = candidates.map((candidate) => ({
    candidate,
    words: splitWords(candidate.description),
  }))
  const getWeight = (word: string) =>
    Math.log(documents.length / documents.filter((document) => document.words.has(word)).length)
  return documents
    .map((document) => {
      const shared = [...document.words].filter((word) => words.has(word))
      const weight = shared.reduce((sum, word) => sum + getWeight(word), 0)
      // Otherwise long descriptions would resemble everything.
      return { candidate: document.candidate, score: weight / Math.sqrt(document.words.size) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxSimilar)
    .map(({ candidate }) => candidate)
}

function splitWords(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z][a-z0-9-]{2,}/g))
}
