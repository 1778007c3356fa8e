import { app } from "./app.ts"

await app.listen({ port: Number(process.env["PORT"] ?? 3000) })
