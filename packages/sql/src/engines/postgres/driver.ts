/** The drivers are described, not imported: a pool or client of `pg`, or a PGlite database. */

/** The fields in use of a result of `pg` or PGlite. */
export interface PostgresResult {
  readonly rows: unknown[]
  readonly rowCount?: number | null
  readonly affectedRows?: number | undefined
}

/** A pool of `pg`, or of a driver with the same methods. */
export interface PostgresPool {
  query(text: string, values: unknown[]): Promise<PostgresResult>
  connect(): Promise<PostgresPoolClient>
  readonly totalCount: number
  /** Whether the application has begun to close it. */
  readonly ending?: boolean
}

/** A client that is taken from a pool until it is released. */
export interface PostgresPoolClient {
  query(text: string, values: unknown[]): Promise<PostgresResult>
  /** @param destroy closes the connection instead of keeping it */
  release(destroy?: boolean): void
  on(event: "error", listener: (error: unknown) => void): unknown
  on(event: "notification", listener: (notification: PostgresNotification) => void): unknown
  /** Lets the process end although the connection is open. */
  unref?(): void
  removeListener(event: "error", listener: () => void): unknown
}

/** A notification that a connection receives. */
interface PostgresNotification {
  readonly channel: string
  readonly payload?: string | undefined
}

/** A connected client of `pg`. The application must not use it for anything else. */
export interface PostgresClient {
  query(text: string, values: unknown[]): Promise<PostgresResult>
  escapeIdentifier(name: string): string
  /** `T` or `E` while a transaction is open. Available since pg 8.17. */
  getTransactionStatus?(): string | null
}

/** A PGlite database. */
export interface PgliteDatabase {
  query(text: string, values: unknown[]): Promise<PostgresResult>
  transaction<Value>(
    work: (transaction: Pick<PgliteDatabase, "query">) => Promise<Value>,
  ): Promise<Value>
  readonly waitReady: Promise<void>
}

/** Any of them. */
export type PostgresDatabase = PgliteDatabase | PostgresClient | PostgresPool

function hasMethods(value: unknown, ...methods: string[]): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    methods.every((name) => typeof (value as Record<string, unknown>)[name] === "function")
  )
}

/** Whether a value has the methods of a PostgreSQL database. */
export function isPostgresDatabase(value: unknown): value is PostgresDatabase {
  return isPool(value) || isClient(value) || isPglite(value)
}

/** Whether a value is a pool, judging by its methods and its counter. */
export function isPool(value: unknown): value is PostgresPool {
  return (
    hasMethods(value, "query", "connect") && typeof (value as PostgresPool).totalCount === "number"
  )
}

/** Whether a value is a PGlite, judging by its methods. */
export function isPglite(value: unknown): value is PgliteDatabase {
  return hasMethods(value, "query", "transaction") && "waitReady" in (value as object)
}

function isClient(value: unknown): value is PostgresClient {
  return hasMethods(value, "query", "connect", "escapeIdentifier") && !isPool(value)
}
