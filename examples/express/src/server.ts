/** Starts the application on HOST and PORT. */
import { app } from "./app.ts"

const { HOST: host = "127.0.0.1", PORT: port = "3000" } = process.env

const server = app.listen(Number(port), host, (error?: Error) => {
  if (error) throw error
  console.log(`Listening on http://${host}:${port}`)
})

// Answers pending requests before it exits.
process.once("SIGTERM", () => server.close(() => process.exit()))
