import { ExpressAuth } from "@auth/express"
import express from "express"
import { authConfig } from "./auth.config.ts"
import { requireSession } from "./session.ts"

const app = express()
app.set("trust proxy", true)
app.use("/auth/*splat", ExpressAuth(authConfig))
app.get("/protected", requireSession, (_req, res) => void res.json(res.locals["session"]))
app.listen(Number(process.env["PORT"]), "127.0.0.1")
