import { app } from "./app.ts"

const { HOST: host = "localhost", PORT: port = "3000" } = process.env

await app.listen({ host, port: Number(port) })
