/** The proxy in front of the processes: it hands each request to the next of them. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { freePort } from "../applications/server.ts"
import { pathOf } from "./programs.ts"

export interface Balancer extends AsyncDisposable {
  readonly origin: string
  /** Gives a process no new requests, or gives it requests again; resolves when it is so. */
  exclude(port: number | undefined): Promise<void>
}

/** The header in which each answer says from which process it comes. */
export const processHeader = "x-process"

/** How long it may take to start or to change, in milliseconds. */
const patience = 10_000

/** Starts nginx in front of the processes that listen on some ports. */
export async function startNginx(ports: readonly number[]): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-nginx-"))
  const port = await freePort(0)
  const origin = `http://127.0.0.1:${port}`
  let generation = 0
  const write = (without?: number) => {
    generation += 1
    const servers = ports.map((each) => ({ port: each, isDown: each === without }))
    writeFileSync(join(folder, "nginx.conf"), configuration(port, servers, generation))
  }
  write()
  const args = ["-p", folder, "-c", "nginx.conf", "-e", "stderr"]
  const nginx = spawn(pathOf("nginx") ?? "nginx", args, { stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  nginx.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  const proxy: Balancer = {
    origin,
    async exclude(excluded) {
      write(excluded)
      nginx.kill("SIGHUP")
      await untilCurrent(`${origin}/generation`, `${generation}`, () => said)
    },
    async [Symbol.asyncDispose]() {
      if (nginx.exitCode === null && nginx.kill("SIGTERM")) await once(nginx, "exit")
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await untilCurrent(`${origin}/generation`, `${generation}`, () => said)
  return proxy
}

async function untilCurrent(url: string, wanted: string, said: () => string): Promise<void> {
  const until = Date.now() + patience
  for (;;) {
    const generation = await fetch(url, { headers: { connection: "close" } }).then(
      (answer) => answer.text(),
      () => undefined,
    )
    if (generation === wanted) return
    if (Date.now() > until) throw new Error(`nginx did not get ready:\n${said()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

interface Upstream {
  readonly port: number
  readonly isDown: boolean
}

/** What the README of the example shows: four processes, and a server on port 80. */
const shown = readFileSync("examples/express/nginx.conf", "utf8")

function configuration(port: number, upstreams: readonly Upstream[], generation: number): string {
  return `
daemon off;
pid nginx.pid;
${process.getuid?.() === 0 ? `user ${userInfo().username};` : ""}
worker_processes 1;
error_log stderr crit;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  ${siteOf(port, upstreams, generation)}
}
`
}

/** The site on our ports, with answers that say where they come from. */
function siteOf(port: number, upstreams: readonly Upstream[], generation: number): string {
  const listen = `listen 127.0.0.1:${port} backlog=2048;
  add_header ${processHeader} $upstream_addr always;
  location = /generation { return 200 ${generation}; }`
  const servers = upstreams.map(
    // A process that has died is tried again with the next request.
    (each) => `server 127.0.0.1:${each.port} max_fails=0${each.isDown ? " down" : ""};`,
  )
  const site = shown
    .replace("listen 80;", listen)
    .replaceAll(/server 127\.0\.0\.1:\d+;/g, () => servers.shift() ?? "")
  if (servers.length > 0) throw new Error("examples/express/nginx.conf names too few processes")
  return site
}
