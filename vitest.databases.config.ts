import { mergeConfig } from "vitest/config"
import base from "./vitest.config.ts"

// The databases that `npm test` leaves out. Servers are found by LATCHKEY_POSTGRES, LATCHKEY_MARIADB and LATCHKEY_REDIS.
const databases = mergeConfig(base, { test: { env: { LATCHKEY_DATABASES: "others" } } })

export default {
  ...databases,
  test: {
    ...databases.test,
    include: ["packages/{mikro-orm,redis,sql}/test/**/*.{databases,server}.test.ts"],
    exclude: ["**/node_modules/**"],
  },
}
