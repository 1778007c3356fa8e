/** `npm run security`: published advisories, and the cases that cover them. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import {
  type Candidate,
  findCoverage,
  listCandidates,
  listIds,
  parseAdvisories,
  recordedAdvisories,
} from "../security/advisories.ts"
import { catalogue } from "../security/catalogue.ts"

const github = {
  ghsa_id: "GHSA-aaaa-bbbb-cccc",
  cve_id: "CVE-2026-1",
  summary: "Open redirect",
  description: "A return address leads to another host.",
  severity: "high",
  cwes: [{ cwe_id: "CWE-601", name: "URL Redirection to Untrusted Site" }],
  vulnerabilities: [{ package: { ecosystem: "npm", name: "other" } }],
  withdrawn_at: null,
}
const osv = {
  id: "GHSA-aaaa-bbbb-cccc",
  aliases: ["CVE-2026-1"],
  summary: "Open redirect",
  details: "A return address leads to another host.",
  severity: [{ type: "CVSS_V4", score: "CVSS:4.0/AV:N" }],
  affected: [{ package: { ecosystem: "npm", name: "other" } }],
  database_specific: { severity: "HIGH", cwe_ids: ["CWE-601"] },
}
const expected = {
  ids: ["GHSA-aaaa-bbbb-cccc", "CVE-2026-1"],
  packages: ["other"],
  severity: "high",
  summary: "Open redirect",
  isWithdrawn: false,
}

describe("reads advisories", () => {
  test.each([
    ["a list of GitHub's REST API", [github]],
    ["pages of it", [[github]]],
    ["one of GitHub's advisories", github],
    ["one in the format of OSV", osv],
    ["the result of a query to OSV", { vulns: [osv] }],
  ])("from %s", (_, input) => {
    expect(parseAdvisories(JSON.stringify(input))).toMatchObject([expected])
  })

  test("with the name of the weakness", () => {
    const [advisory] = parseAdvisories(JSON.stringify(github))
    expect(advisory?.text).toContain("Untrusted Site")
  })

  test("that were withdrawn", () => {
    const withdrawn = [
      { ...github, withdrawn_at: "2026-11-30T00:00:00Z" },
      { ...osv, withdrawn: "2026-11-30T00:00:00Z" },
    ]
    const advisories = parseAdvisories(JSON.stringify(withdrawn))
    expect(advisories.map(({ isWithdrawn }) => isWithdrawn)).toEqual([true, true])
  })

  test("with few details", () => {
    expect(parseAdvisories('{"id":"GHSA-aaaa-bbbb-cccc"}')).toMatchObject([
      { ids: ["GHSA-aaaa-bbbb-cccc"], packages: [], severity: "unknown severity" },
    ])
  })

  test("and refuses what has no identifier, such as an error of the API", () => {
    expect(() => parseAdvisories('{"message":"Bad credentials"}')).toThrow("Bad credentials")
  })
})

describe("the coverage of an advisory", () => {
  const candidates: Candidate[] = [
    { id: "1", description: "An absolute return address of another host → own host" },
    { id: "2", description: "The address of a forged signature → refused" },
    { id: "V01", description: "other CVE-2026-1: prefix" },
    { id: "V02", description: "other CVE-2026-2: a plugin", notApplicable: "There is no plugin." },
  ]
  const find = (changes: object, recorded = {}) => {
    const [advisory] = parseAdvisories(JSON.stringify({ ...github, cve_id: null, ...changes }))
    if (!advisory) throw new TypeError("Expected an advisory.")
    return findCoverage(advisory, candidates, recorded)
  }
  const recorded = (decision: object) => ({
    "GHSA-aaaa-bbbb-cccc": { package: "other", fault: "a fault", ...decision },
  })

  test("is the case that names it", () => {
    expect(find({ cve_id: "CVE-2026-1" })).toMatchObject({
      kind: "covered",
      cases: [{ id: "V01" }],
    })
  })

  test("is not the case that names another one, whose identifier has the same beginning", () => {
    expect(find({ cve_id: "CVE-2026-" })).toMatchObject({ kind: "unknown" })
  })

  test("is the case that was recorded", () => {
    expect(find({}, recorded({ cases: ["2"] }))).toMatchObject({
      kind: "covered",
      cases: [{ id: "2" }],
    })
  })

  test.each([
    ["with the list", {}, recorded({ notApplicable: "There is no plugin." })],
    ["with the case that names it", { cve_id: "CVE-2026-2" }, {}],
  ])("is the reason why it does not apply, recorded %s", (_, changes, list) => {
    expect(find(changes, list)).toEqual({ kind: "not applicable", reason: "There is no plugin." })
  })

  test("is unknown otherwise, with the most similar cases first", () => {
    expect(find({})).toMatchObject({ kind: "unknown", similar: [{ id: "1" }, { id: "2" }] })
  })
})

describe("the recorded advisories", () => {
  const candidates = listCandidates(catalogue)

  test.each(Object.entries(recordedAdvisories))("%s names cases, or a reason", (id, decision) => {
    expect(id).toMatch(/^GHSA(-[23456789cfghjmpqrvwx]{4}){3}$/)
    const known = (decision.cases ?? []).filter((each) =>
      candidates.some((candidate) => candidate.id === each),
    )
    expect(known).toEqual(decision.cases ?? [])
    expect(known.length > 0).toBe(decision.notApplicable === undefined)
    // Otherwise the list and the catalogue could contradict each other.
    expect(candidates.filter(({ description }) => listIds(description).includes(id))).toEqual([])
  })

  test("are about packages that the monthly command asks for", () => {
    const watched = readFileSync("scripts/security/watched-packages.txt", "utf8").split("\n")
    const packages = Object.values(recordedAdvisories).map((decision) => decision.package)
    expect(packages.length).toBeGreaterThan(50)
    expect(packages.filter((name) => !watched.includes(name))).toEqual([])
  })
})
