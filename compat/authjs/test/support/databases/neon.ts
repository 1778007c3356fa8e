import NeonAdapter from "@auth/neon-adapter"
import { neonConfig, Pool } from "@neondatabase/serverless"
import type { AdapterSetup } from "../adapter-setup.ts"
import { startNeonProxy } from "../servers/neon-proxy.ts"
import { createDocumentedTables, createPgRows, documentedTables } from "./pg.ts"
import { postgresServers } from "./postgres.ts"

// The proxy is on this machine.
neonConfig.useSecureWebSocket = false
neonConfig.pipelineTLS = false
neonConfig.pipelineConnect = false

export const neonSetups: readonly AdapterSetup[] = postgresServers
  .filter(({ name }) => name === "PostgreSQL")
  .map((postgres) => ({
    ...documentedTables,
    adapter: "@auth/neon-adapter",
    database: "PostgreSQL through WebSockets",
    async openDatabase({ amended } = { amended: false }) {
      const { url, runQuery, close } = await createDocumentedTables(postgres, amended)
      const proxy = await startNeonProxy(url)
      const pool = new Pool({ connectionString: url, max: 4 })
      pool.on("error", () => undefined)
      neonConfig.wsProxy = () => proxy.address
      return {
        adapter: NeonAdapter(pool),
        ...createPgRows(runQuery),
        async [Symbol.asyncDispose]() {
          await pool.end()
          await proxy[Symbol.asyncDispose]()
          await close()
        },
      }
    },
  }))
