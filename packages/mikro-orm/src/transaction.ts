import type { EntityManager, Transaction } from "@mikro-orm/core"

/** Additional methods of MikroORM's SQL connections. */
interface SqlConnection {
  getClient(): {
    transaction(): {
      execute<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
    }
  }
}

/**
 * Runs work in one transaction. MikroORM's own methods (`flush`, `transactional`) never release a connection that
 * breaks during a transaction, until the pool is exhausted (kysely-org/kysely#1990). This function releases it.
 *
 * @throws TypeError if the database is not an SQL database
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
