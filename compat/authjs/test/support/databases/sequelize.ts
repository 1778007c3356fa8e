import SequelizeAdapter from "@auth/sequelize-adapter"
import type { Row } from "@latchkey/testing"
import { type Model, type ModelStatic, Sequelize } from "sequelize"
import type { AdapterSetup, OpenDatabase } from "../adapter-setup.ts"
import { createMariadbDatabase, hasMariadb } from "./mariadb.ts"
import { postgresServers } from "./postgres.ts"

const shared = {
  adapter: "@auth/sequelize-adapter",
  knownFailuresOnly: true,
  knownFailures: {
    "linkAccount rejects a linked account, and does not change it":
      "nothing in its tables makes an account unique",
    "of 64 concurrent uses of a verification token, one succeeds":
      "a link that is opened several times at the same moment signs in each time",
    "useVerificationToken returns and removes nothing for another address or token":
      "opening a link uses up all links of that address",
  },
} as const

const servers = postgresServers.filter(({ name }) => name === "PostgreSQL")

const postgresSetups: readonly AdapterSetup[] = servers.map((postgres) => ({
  ...shared,
  database: postgres.name,
  async openDatabase() {
    const { url, close } = await postgres.createDatabase()
    return connect(new Sequelize(url, { logging: false, pool: { max: 4 } }), close)
  },
}))

const mariadbSetup: AdapterSetup = {
  ...shared,
  database: "MariaDB",
  async openDatabase() {
    const { url, close } = await createMariadbDatabase()
    return connect(new Sequelize(url, { dialect: "mariadb", logging: false }), close)
  },
}

export const sequelizeSetups: readonly AdapterSetup[] = [
  ...postgresSetups,
  ...(hasMariadb ? [mariadbSetup] : []),
]

async function connect(sequelize: Sequelize, close: () => Promise<void>): Promise<OpenDatabase> {
  const adapter = SequelizeAdapter(sequelize)
  await sequelize.sync()
  const model = (name: string): ModelStatic<Model> => sequelize.model(name)
  const read = async (name: string, where: Record<string, string>): Promise<Row> =>
    (await model(name).findOne({ where }))?.get({ plain: true }) ?? null
  return {
    adapter,
    db: {
      user: (id) => read("user", { id }),
      session: (sessionToken) => read("session", { sessionToken }),
      account: ({ provider, providerAccountId }) =>
        read("account", { provider, providerAccountId }),
      verificationToken: ({ identifier, token }) =>
        read("verificationToken", { identifier, token }),
    },
    countRows: async () => [
      await model("user").count(),
      await model("account").count(),
      await model("session").count(),
    ],
    async deleteRows() {
      for (const name of ["verificationToken", "session", "account", "user"]) {
        await model(name).destroy({ where: {} })
      }
    },
    async [Symbol.asyncDispose]() {
      await sequelize.close()
      await close()
    },
  }
}
