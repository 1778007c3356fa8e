import { MongoDBAdapter } from "@auth/mongodb-adapter"
import type { Row } from "@latchkey/testing"
import { MongoClient, ObjectId } from "mongodb"
import type { AdapterSetup } from "../adapter-setup.ts"
import { startMongodbServer } from "../servers/mongodb-server.ts"

const noUniqueIndexes =
  "it creates no unique indexes: create those of `users.email` and of `accounts.provider` with `accounts.providerAccountId`"

export const mongodbSetup: AdapterSetup = {
  adapter: "@auth/mongodb-adapter",
  database: "an imitation of its server",
  knownFailuresOnly: true,
  knownFailures: {
    "createUser rejects an address that is taken": noUniqueIndexes,
    "linkAccount rejects a linked account, and does not change it": noUniqueIndexes,
  },
  async openDatabase() {
    const server = await startMongodbServer()
    const client = new MongoClient(server.url)
    const collections = client.db("test")
    const read = async (name: string, filter: object): Promise<Row> =>
      collections.collection(name).findOne(filter)
    const names = ["users", "accounts", "sessions", "verification_tokens"] as const
    const count = async (name: string) =>
      (await collections.collection(name).find({}).toArray()).length
    return {
      adapter: MongoDBAdapter(client, { databaseName: "test" }),
      db: {
        user: (id) => read("users", { _id: new ObjectId(id) }),
        session: (sessionToken) => read("sessions", { sessionToken }),
        account: ({ provider, providerAccountId }) =>
          read("accounts", { provider, providerAccountId }),
        verificationToken: ({ identifier, token }) =>
          read("verification_tokens", { identifier, token }),
      },
      countRows: async () => [
        await count("users"),
        await count("accounts"),
        await count("sessions"),
      ],
      async deleteRows() {
        for (const name of names) await collections.collection(name).deleteMany({})
      },
      async [Symbol.asyncDispose]() {
        await client.close()
        await server[Symbol.asyncDispose]()
      },
    }
  },
}
