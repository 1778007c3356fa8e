import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The full matrix of databases. Servers are found by LATCHKEY_POSTGRES, LATCHKEY_MARIADB and LATCHKEY_REDIS.
const databases = mergeConfig(base, { test: { env: { LATCHKEY_DATABASES: "all" } } })

export default {
  ...databases,
  test: {
    ...databases.test,
    include: ["packages/{mikro-orm,redis,sql}/test/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
  },
}
