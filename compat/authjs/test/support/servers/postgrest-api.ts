/** The part of PostgREST that the Supabase client needs, in front of a PostgreSQL server: https://docs.postgrest.org */
import type { Pool } from "pg"
import { type ApiRequest, type ApiResponse, type ApiServer, startApiServer } from "./http-server.ts"

const objectMediaType = "application/vnd.pgrst.object+json"
const options = ["select", "columns"]

export function startPostgrestApi(pool: Pool): Promise<ApiServer> {
  return startApiServer(async (request) => {
    try {
      const { sql, parameters } = toStatement(request)
      const { rows } = await pool.query<{ records: unknown[] }>(sql, parameters)
      return toResponse(request, rows[0]?.records ?? [])
    } catch (error) {
      const { code = "", message = "", detail = null } = error as Record<string, string>
      return { status: 409, body: { code, message, details: detail, hint: null } }
    }
  })
}

/** Translates a request to one statement, which returns the records as JSON. */
function toStatement({ method, url, headers, body }: ApiRequest): Statement {
  const table = quote(decodeURIComponent(url.pathname.split("/").at(-1) ?? ""))
  const profile = headers[method === "GET" ? "accept-profile" : "content-profile"]
  const qualified = `${quote(String(profile ?? "public"))}.${table}`
  const parameters: unknown[] = []
  const filters = [...url.searchParams].filter(([name]) => !options.includes(name))
  const conditions = filters.map(([name, filter]) => {
    if (!filter.startsWith("eq.")) throw new Error(`The filter ${name}=${filter} is not supported.`)
    return `${quote(name)} = $${parameters.push(filter.slice(3))}`
  })
  const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""
  const changes = `select * from json_populate_record(null::${qualified}, $1)`
  const names = Object.keys(body ?? {})
  if (body !== undefined) parameters.unshift(JSON.stringify(body))
  const shifted = body === undefined ? where : where.replace(/\$(\d+)/g, (_, n) => `$${+n + 1}`)
  const columns = names.map(quote).join(", ")
  const statements: Record<string, string> = {
    GET: `select * from ${qualified} ${where}`,
    POST: `insert into ${qualified} (${columns}) select ${columns} from (${changes}) given returning *`,
    PATCH: `update ${qualified} set (${columns}) = (select ${columns} from (${changes}) given) ${shifted} returning *`,
    DELETE: `delete from ${qualified} ${where} returning *`,
  }
  const changed = method === "GET" ? "" : `with changed as (${statements[method]})`
  const source = method === "GET" ? `(${statements[method]})` : "changed"
  const embedded = listEmbedded(url.searchParams.get("select") ?? "*", String(profile ?? "public"))
  return {
    sql: `${changed} select coalesce(json_agg(record), '[]') as records from (select row.*${embedded} from ${source} row) record`,
    parameters,
  }
}

interface Statement {
  readonly sql: string
  readonly parameters: unknown[]
}

/** Returns a column for each embedded table, such as `users(*)`. Its rows are found by `userId`. */
function listEmbedded(select: string, schema: string): string {
  const tables = [...select.matchAll(/(\w+)\(\*\)/g)].map(([, table = ""]) => quote(table))
  return tables
    .map(
      (table) =>
        `, (select to_json(other) from ${quote(schema)}.${table} other where other.id = row."userId") as ${table}`,
    )
    .join("")
}

function toResponse({ headers, method }: ApiRequest, records: unknown[]): ApiResponse {
  const wantsRecords = method === "GET" || headers["prefer"]?.includes("return=representation")
  if (!wantsRecords) return { status: 204, body: undefined }
  if (!headers.accept?.includes(objectMediaType)) return { status: 200, body: records }
  if (records.length === 1) return { status: 200, body: records[0] }
  const details = `The result contains ${records.length} rows`
  const message = "Cannot coerce the result to a single JSON object"
  return { status: 406, body: { code: "PGRST116", message, details, hint: null } }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
