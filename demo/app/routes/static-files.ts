/** The style sheet, the images and the scripts. */
import { join } from "node:path"
import { Router } from "express"
import { serveStyleSheet, serveSvg } from "../../shared/assets.ts"
import { serveScript } from "../../shared/script.ts"
import { avatarImages, plazaLogo } from "../../social/images.ts"
import { alderLogo } from "../../tenant/logo.ts"
import { favicon, logo } from "../brand.ts"

export function staticFileRoutes(): Router {
  const router = Router()
  const parts = ["base", "layout", "controls", "home", "journal", "account", "session", "gallery"]
  const files = parts.map((part) => join(import.meta.dirname, "..", "style", `${part}.css`))
  router.get("/style.css", serveStyleSheet(...files))
  router.get("/session.js", serveScript(join(import.meta.dirname, "..", "scripts", "session.ts")))
  router.get("/passkeys.js", serveScript(join(import.meta.dirname, "..", "scripts", "passkeys.ts")))
  router.get(["/favicon.svg", "/favicon.ico"], serveSvg(favicon))
  router.get("/logo.svg", serveSvg(logo))
  router.get("/brands/alder.svg", serveSvg(alderLogo))
  router.get("/brands/plaza.svg", serveSvg(plazaLogo))
  for (const [id, picture] of avatarImages) router.get(`/avatars/${id}`, serveSvg(picture))
  return router
}
