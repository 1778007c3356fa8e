/** The commands of the small MongoDB server. */
import { BSON } from "mongodb"

type Collections = Map<string, BSON.Document[]>

/** Runs a command, and returns its reply. */
export function runCommand(command: BSON.Document, collections: Collections): BSON.Document {
  const [name = ""] = Object.keys(command)
  const run = commands[name]
  if (!run)
    return { ok: 0, code: 59, codeName: "CommandNotFound", errmsg: `no such command: ${name}` }
  const collection = String(command[name])
  const documents = collections.get(collection) ?? []
  collections.set(collection, documents)
  return { ok: 1, ...run(command, documents) }
}

type Command = (command: BSON.Document, documents: BSON.Document[]) => BSON.Document

const describeServer: Command = () => ({
  isWritablePrimary: true,
  ismaster: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
})

const commands: Readonly<Record<string, Command>> = {
  hello: describeServer,
  ismaster: describeServer,
  ping: () => ({}),
  endSessions: () => ({}),
  find: ({ find, filter, limit }, documents) => {
    const found = documents.filter((document) => isMatch(document, filter))
    const firstBatch = Number(limit ?? 0) > 0 ? found.slice(0, Number(limit)) : found
    return { cursor: { id: BSON.Long.ZERO, ns: `test.${find}`, firstBatch } }
  },
  insert: ({ documents: added }, documents) => ({ n: documents.push(...added) && added.length }),
  update: ({ updates }, documents) => {
    const counts = updates.map(({ q, u, multi }: BSON.Document) => {
      const found = documents.filter((document) => isMatch(document, q))
      const changed = multi ? found : found.slice(0, 1)
      for (const document of changed) Object.assign(document, u["$set"])
      return changed.length
    })
    const n = counts.reduce((sum: number, count: number) => sum + count, 0)
    return { n, nModified: n }
  },
  delete: ({ deletes }, documents) => {
    const before = documents.length
    for (const { q, limit } of deletes) {
      const found = documents.filter((document) => isMatch(document, q))
      for (const document of Number(limit) === 1 ? found.slice(0, 1) : found) {
        documents.splice(documents.indexOf(document), 1)
      }
    }
    return { n: before - documents.length }
  },
  findAndModify: ({ query, update, remove, new: returnsNew }, documents) => {
    const found = documents.find((document) => isMatch(document, query))
    if (!found) return { value: null }
    const before = { ...found }
    if (remove) documents.splice(documents.indexOf(found), 1)
    else Object.assign(found, update["$set"])
    return { value: returnsNew ? found : before }
  },
}

/** Whether every field is equal. A missing field equals null. */
function isMatch(document: BSON.Document, filter: BSON.Document = {}): boolean {
  return Object.entries(filter).every(([name, value]) => isEqual(document[name], value))
}

function isEqual(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((value) => BSON.serialize({ value: value ?? null }))
  return first !== undefined && second !== undefined && Buffer.compare(first, second) === 0
}
