/** Both major versions of Express, and the ways to mount middleware in each. */
import { runInNewContext } from "node:vm"
import express, { type Express, type RequestHandler } from "express"
import express4 from "express4"

export type ExpressModule = typeof express

export const expressVersions: { major: 4 | 5; express: ExpressModule }[] = [
  { major: 4, express: express4 },
  { major: 5, express },
]

/** Undefined means a mount without a path. */
const mounts: Record<4 | 5, (string | undefined)[]> = {
  4: ["/auth", "/auth/*", undefined],
  5: ["/auth", "/auth/*splat", "/auth/{*splat}", "/auth{/*splat}", undefined],
}

/** Every mount in every major version. */
export const allMounts: { major: 4 | 5; express: ExpressModule; mount: string | undefined }[] =
  expressVersions.flatMap((version) =>
    mounts[version.major].map((mount) => ({ ...version, mount })),
  )

export function mountMiddleware(
  app: Pick<Express, "use">,
  mount: string | undefined,
  handler: RequestHandler,
) {
  return mount === undefined ? app.use(handler) : app.use(mount, handler)
}

/** As in a test runner that gives each file a realm. */
const copyToOtherRealm: RequestHandler = (req, _, next) => {
  if (Buffer.isBuffer(req.body)) req.body = runInNewContext(`new Uint8Array([${req.body.join()}])`)
  next()
}

/** The body parsers before the middleware. */
export const bodyParsers: Record<string, (express: ExpressModule) => RequestHandler[]> = {
  "no parser": () => [],
  json: (express) => [express.json()],
  urlencoded: (express) => [express.urlencoded({ extended: false })],
  "extended urlencoded": (express) => [express.urlencoded({ extended: true })],
  "json and urlencoded": (express) => [express.json(), express.urlencoded({ extended: true })],
  text: (express) => [express.text({ type: "*/*" })],
  raw: (express) => [express.raw({ type: "*/*" })],
  "raw of another realm": (express) => [express.raw({ type: "*/*" }), copyToOtherRealm],
}
