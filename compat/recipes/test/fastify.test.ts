/** The application of docs/fastify.md. */
import { testRecipe } from "./support/recipe-tests.ts"

testRecipe(async () => {
  const { app } = await import("../fastify/app.ts")
  const { config } = await import("../fastify/auth.ts")
  // The application's own forms: a parser that reads every body, unless the library's routes remove it.
  const form = "application/x-www-form-urlencoded"
  app.addContentTypeParser(form, { parseAs: "string" }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  })
  await app.listen({ port: 0, host: "127.0.0.1" })
  return { config, server: app.server, close: () => app.close() }
})
