import type { EntityManager, Transaction } from "@mikro-orm/core"

/** What connections of MikroORM's SQL drivers have beyond those of the others. */
interface SqlConnection {
  getClient(): {
    transaction(): {
      execute<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
    }
  }
}

/**
 * Does something in one transaction. MikroORM's own (`flush`, `transactional`) keep their connection for ever when it
 * breaks in the middle, until the pool has no other left (kysely-org/kysely#1990); this one gives it back.
 *
 * @throws TypeError when the database is no SQL database
 */
export async function runInTransaction<Result>(
  em: EntityManager,
  work: () => Promise<Result>,
): Promise<Result> {
  const connection = em.getConnection("write")
  if (!hasClient(connection)) {
    throw new TypeError("MikroOrmAdapter needs an SQL driver of MikroORM.")
  }
  await connection.ensureConnection()
  return connection
    .getClient()
    .transaction()
    .execute((transaction) => {
      em.setTransactionContext(transaction)
      return work()
    })
}

function hasClient<Connection extends object>(
  connection: Connection,
): connection is Connection & SqlConnection {
  return "getClient" in connection
}
