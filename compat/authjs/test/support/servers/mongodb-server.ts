/**
 * A small MongoDB server: documents in memory behind the wire protocol, for the real driver. It knows the commands
 * that adapters send: https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { BSON } from "mongodb"
import { runCommand } from "./mongodb-commands.ts"

export interface MongodbServer extends AsyncDisposable {
  readonly url: string
}

const opReply = 1
const opQuery = 2004
const opMessage = 2013
const headerLength = 16

export async function startMongodbServer(): Promise<MongodbServer> {
  const collections = new Map<string, BSON.Document[]>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined) // the client went away
    let received = Buffer.alloc(0)
    socket.on("data", (data: Buffer) => {
      received = Buffer.concat([received, data])
      while (received.length >= 4 && received.length >= received.readInt32LE()) {
        const length = received.readInt32LE()
        socket.write(respond(received.subarray(0, length), collections))
        received = received.subarray(length)
      }
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function respond(message: Buffer, collections: Map<string, BSON.Document[]>): Buffer {
  const requestId = message.readInt32LE(4)
  const isHandshake = message.readInt32LE(12) === opQuery
  const command = isHandshake ? parseQuery(message) : parseMessage(message)
  const reply = BSON.serialize(runCommand(command, collections))
  const start = isHandshake ? Buffer.alloc(20) : Buffer.alloc(5)
  if (isHandshake) start.writeInt32LE(1, 16) // one document
  const header = Buffer.alloc(headerLength)
  header.writeInt32LE(headerLength + start.length + reply.length)
  header.writeInt32LE(requestId, 8)
  header.writeInt32LE(isHandshake ? opReply : opMessage, 12)
  return Buffer.concat([header, start, reply])
}

/** Parses the first message of a connection. */
function parseQuery(message: Buffer): BSON.Document {
  const nameEnd = message.indexOf(0, headerLength + 4)
  return parseDocument(message.subarray(nameEnd + 9))
}

/** Joins the sections of a message: the command, and lists of documents that belong to it. */
function parseMessage(message: Buffer): BSON.Document {
  const command: BSON.Document = {}
  let position = headerLength + 4
  while (position < message.length) {
    const isList = message[position] === 1
    const size = message.readInt32LE(position + 1)
    const section = message.subarray(position + 1, position + 1 + size)
    if (isList) {
      const nameEnd = section.indexOf(0, 4)
      command[section.toString("utf8", 4, nameEnd)] = parseDocuments(section.subarray(nameEnd + 1))
    } else Object.assign(command, parseDocument(section))
    position += 1 + size
  }
  return command
}

function parseDocuments(bytes: Buffer): BSON.Document[] {
  if (bytes.length === 0) return []
  const size = bytes.readInt32LE()
  return [parseDocument(bytes.subarray(0, size)), ...parseDocuments(bytes.subarray(size))]
}

function parseDocument(bytes: Buffer): BSON.Document {
  return BSON.deserialize(bytes.subarray(0, bytes.readInt32LE()), { promoteValues: false })
}
