/** The style sheet, the drawings and the scripts. */
import { join } from "node:path"
import { Router } from "express"
import { drawing, styleSheet } from "../../shared/assets.ts"
import { script } from "../../shared/script.ts"
import { pictures, plazaMark } from "../../social/pictures.ts"
import { alderMark } from "../../tenant/mark.ts"
import { favicon, logo } from "../brand.ts"

export function pictureRoutes(): Router {
  const router = Router()
  const parts = ["ground", "frame", "controls", "home", "journal", "account", "session"]
  const files = parts.map((part) => join(import.meta.dirname, "..", "style", `${part}.css`))
  router.get("/style.css", styleSheet(...files))
  router.get("/session.js", script(join(import.meta.dirname, "..", "scripts", "session.ts")))
  router.get("/passkeys.js", script(join(import.meta.dirname, "..", "scripts", "passkeys.ts")))
  router.get(["/favicon.svg", "/favicon.ico"], drawing(favicon))
  router.get("/logo.svg", drawing(logo))
  router.get("/brands/alder.svg", drawing(alderMark))
  router.get("/brands/plaza.svg", drawing(plazaMark))
  for (const [id, picture] of pictures) router.get(`/avatars/${id}`, drawing(picture))
  return router
}
