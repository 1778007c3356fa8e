/** Starts the application, at the address that HOST and PORT name. */
import { app } from "./app.ts"

const { HOST: host = "127.0.0.1", PORT: port = "3000" } = process.env

app.listen(Number(port), host, () => {
  console.log(`Listening on http://${host}:${port}`)
})
