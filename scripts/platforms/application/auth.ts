/** The configuration of the application: also for `latchkey doctor`. */
import { defineConfig } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"

export const authConfig = defineConfig({
  providers: [
    credentials({
      credentials: { name: { label: "Name" }, password: { label: "Password", type: "password" } },
      authorize: ({ name, password }) =>
        password === "correct horse" ? { id: "1", name: String(name) } : null,
    }),
  ],
  secret: process.env["AUTH_SECRET"] ?? "",
  trustHost: true,
})
