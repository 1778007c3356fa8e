/** Holds `decide` against the table of docs/accounts.md, for every combination of facts. */
import { readFileSync } from "node:fs"
import type { AdapterUser } from "@latchkey/core/adapters"
import { describe, expect, test } from "vitest"
import { type Decision, decide, type LinkingFacts } from "../../src/identity/decide.ts"

function user(id: string): AdapterUser {
  return { id, email: `${id}@example.com`, emailVerified: null }
}

const nobodyOrSomebody = [null, user("ann"), user("ben"), user("cleo")]

const combinations: LinkingFacts[] = (["oauth", "oidc", "webauthn", "email"] as const).flatMap(
  (type) =>
    nobodyOrSomebody.flatMap((owner) =>
      nobodyOrSomebody.flatMap((sameEmail) =>
        nobodyOrSomebody.flatMap((linkFor) =>
          [true, false].flatMap((joinsByEmail) =>
            (["proven", "denied", "unsaid"] as const).map((emailStanding) => {
              return { type, owner, sameEmail, linkFor, joinsByEmail, emailStanding }
            }),
          ),
        ),
      ),
    ),
)

/** What a cell demands of the facts; an empty one demands nothing. */
type Column = Readonly<Record<string, (facts: LinkingFacts) => boolean>>

const columns: readonly Column[] = [
  {
    "an e-mail link": ({ type }) => type === "email",
    "a provider": ({ type }) => type !== "email",
  },
  {
    "a user": ({ owner }) => owner !== null,
    nobody: ({ owner }) => owner === null,
  },
  {
    "a user": ({ linkFor }) => linkFor !== null,
    "that user": ({ linkFor, owner }) => linkFor !== null && linkFor === owner,
    "another user": ({ linkFor, owner }) => linkFor !== null && linkFor !== owner,
    nobody: ({ linkFor }) => linkFor === null,
  },
  {
    "a user": ({ sameEmail }) => sameEmail !== null,
    nobody: ({ sameEmail }) => sameEmail === null,
  },
  { yes: ({ joinsByEmail }) => joinsByEmail, no: ({ joinsByEmail }) => !joinsByEmail },
  {
    yes: ({ emailStanding }) => emailStanding === "denied",
    no: ({ emailStanding }) => emailStanding !== "denied",
  },
]

/** What the last column says. */
const endings: Readonly<Record<string, (facts: LinkingFacts) => Decision>> = {
  "that user comes in": ({ type, owner, sameEmail }) => ({
    kind: "known",
    user: (type === "email" ? sameEmail : owner) ?? user("missing"),
  }),
  "a new user comes in": () => ({ kind: "create" }),
  "the account is linked to the user who asked": ({ linkFor }) => ({
    kind: "link",
    user: linkFor ?? user("missing"),
  }),
  "the account is linked to the user who has the address": ({ sameEmail }) => ({
    kind: "join",
    user: sameEmail ?? user("missing"),
  }),
  refused: ({ type }) => ({
    kind: "refuse",
    error: type === "webauthn" ? "AccountNotLinked" : "OAuthAccountNotLinked",
  }),
}

interface TableRow {
  readonly applies: (facts: LinkingFacts) => boolean
  readonly ending: (facts: LinkingFacts) => Decision
}

function tableRow(line: string): TableRow {
  const cells = line.split("|").slice(1, -1)
  const words = cells.map((cell) => cell.trim())
  const tests = columns.flatMap((column, index) => {
    const word = words[index]
    return word === "" ? [] : [column[word ?? ""] ?? expect.unreachable(`unknown word: ${word}`)]
  })
  const ending = endings[words[columns.length] ?? ""] ?? expect.unreachable(`no ending: ${line}`)
  return { applies: (facts) => tests.every((holds) => holds(facts)), ending }
}

const page = readFileSync(new URL("../../../../docs/accounts.md", import.meta.url), "utf8")
const table = page
  .split("\n")
  .filter((line) => line.startsWith("| an e-mail link") || line.startsWith("| a provider"))
  .map(tableRow)

describe("the table of docs/accounts.md", () => {
  test("has a row for every combination of facts, and no row that is never used", () => {
    const used = combinations.map((facts) => table.filter(({ applies }) => applies(facts)))
    expect(used.filter((rows) => rows.length !== 1)).toEqual([])
    expect(new Set(used.flat())).toEqual(new Set(table))
    expect(combinations).toHaveLength(4 * 4 * 4 * 4 * 2 * 3)
  })

  test("is what `decide` does, for every combination of facts", () => {
    for (const facts of combinations) {
      const row = table.find(({ applies }) => applies(facts))
      expect([facts, decide(facts)]).toEqual([facts, row?.ending(facts)])
    }
  })
})
