/** Serves the built site as a host for static files does: a path without an ending is an HTML file. */
import { createReadStream, existsSync, statSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
}

/** A running server. */
export interface StaticServer extends AsyncDisposable {
  readonly origin: string
}

/** Starts a server on a free port. */
export async function startStaticServer(folder: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    const file = findFile(folder, decodeURIComponent(pathname))
    response.statusCode = file ? 200 : 404
    const path = file ?? join(folder, "404.html")
    response.setHeader("content-type", contentTypes[extname(path)] ?? "application/octet-stream")
    createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function findFile(folder: string, path: string): string | undefined {
  const candidates = [path, `${path}.html`, join(path, "index.html")].map((name) =>
    join(folder, name),
  )
  return candidates.find((file) => existsSync(file) && statSync(file).isFile())
}
