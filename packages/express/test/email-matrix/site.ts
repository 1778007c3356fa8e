/** An Express application with sign-in by e-mail, its mail server, and a page on another site that shows a message. */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import type { Adapter } from "@latchkey/core/adapters"
import { migrationSql, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createMailbox, type Mailbox, type SmtpTransportOptions } from "@latchkey/testing"
import express, { type RequestHandler } from "express"

/** Creates the middleware of a library, with a provider `nodemailer` and sessions in the database. */
export type CreateMiddleware = (setup: {
  readonly server: SmtpTransportOptions
  readonly adapter: Adapter
}) => RequestHandler

type Table = "User" | "Account" | "Session" | "VerificationToken"

export interface Site extends AsyncDisposable {
  readonly origin: string
  readonly mailbox: Mailbox
  rows(table: Table): readonly unknown[]
  /** The purposes that answered requests for sign-in links stated, such as `prefetch`. */
  readonly linkPurposes: readonly (string | undefined)[]
  /** Returns the URL of a page on another site with a link, which its reader's browser may prefetch. */
  messageUrl(link: string, prefetch: boolean): string
}

const schema = migrationSql("sqlite")

export async function createSite(createMiddleware: CreateMiddleware): Promise<Site> {
  const mailbox = await createMailbox()
  const database = openSqlite(":memory:")
  database.exec(schema)
  const adapter = SqlAdapter(database)
  const linkPurposes: (string | undefined)[] = []
  const app = express()
  // Each browser states its address, as a proxy in front of the application would.
  app.set("trust proxy", "loopback")
  app.use("/auth/callback", (request, response, next) => {
    response.on("finish", () => linkPurposes.push(request.get("sec-purpose")))
    next()
  })
  app.use("/auth", createMiddleware({ server: mailbox.server, adapter }))
  app.get("/", (_, response) => void response.send("<!DOCTYPE html><title>Home</title>Home"))
  const application = await serve(app)
  const reader = await serve(showMessage)
  return {
    origin: `http://localhost:${application.port}`,
    mailbox,
    linkPurposes,
    rows: (table) => database.prepare(`select * from "${table}"`).all(),
    messageUrl: (link, prefetch) =>
      `http://127.0.0.1:${reader.port}/?${new URLSearchParams({ link, ...(prefetch && { prefetch: "" }) })}`,
    async [Symbol.asyncDispose]() {
      for (const server of [application, reader]) await server.close()
      await mailbox.close()
      database.close()
    },
  }
}

const showMessage: RequestListener = ({ url = "" }, response) => {
  const { searchParams } = new URL(url, "http://127.0.0.1")
  const href = searchParams.get("link")?.replaceAll("&", "&amp;")
  const hint = searchParams.has("prefetch") ? `<link rel="prefetch" href="${href}">` : ""
  response.setHeader("content-type", "text/html")
  response.end(`<!DOCTYPE html><title>Message</title>${hint}<a href="${href}">Sign in</a>`)
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, "close")
  }
  return { port, close }
}
