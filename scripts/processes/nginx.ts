/** Starts nginx as a load balancer in front of the processes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { findFreePort } from "../applications/application-server.ts"
import { findProgram } from "./programs.ts"

export interface LoadBalancer extends AsyncDisposable {
  readonly origin: string
  /** Excludes a process from new requests, or includes it again. Resolves when the change is effective. */
  excludeProcess(port: number | undefined): Promise<void>
}

/** The response header that names the process. */
export const processHeader = "x-process"

/** How long a start or a change may take, in milliseconds. */
const maxWait = 10_000

/** Starts nginx in front of the processes on the given ports. */
export async function startNginx(ports: readonly number[]): Promise<LoadBalancer> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-nginx-"))
  const port = await findFreePort(0)
  const origin = `http://127.0.0.1:${port}`
  let generation = 0
  const writeConfig = (excludedPort?: number) => {
    generation += 1
    const servers = ports.map((each) => ({ port: each, isDown: each === excludedPort }))
    writeFileSync(join(folder, "nginx.conf"), createNginxConfig(port, servers, generation))
  }
  writeConfig()
  const args = ["-p", folder, "-c", "nginx.conf", "-e", "stderr"]
  const nginx = spawn(findProgram("nginx") ?? "nginx", args, {
    stdio: ["ignore", "ignore", "pipe"],
  })
  let output = ""
  nginx.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  const proxy: LoadBalancer = {
    origin,
    async excludeProcess(excludedPort) {
      writeConfig(excludedPort)
      nginx.kill("SIGHUP")
      await waitForGeneration(`${origin}/generation`, `${generation}`, () => output)
    },
    async [Symbol.asyncDispose]() {
      if (nginx.exitCode === null && nginx.kill("SIGTERM")) await once(nginx, "exit")
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await waitForGeneration(`${origin}/generation`, `${generation}`, () => output)
  return proxy
}

async function waitForGeneration(
  url: string,
  expectedGeneration: string,
  readOutput: () => string,
): Promise<void> {
  const deadline = Date.now() + maxWait
  for (;;) {
    const generation = await fetch(url, { headers: { connection: "close" } }).then(
      (answer) => answer.text(),
      () => undefined,
    )
    if (generation === expectedGeneration) return
    if (Date.now() > deadline) throw new Error(`nginx did not get ready:\n${readOutput()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

interface Upstream {
  readonly port: number
  readonly isDown: boolean
}

/** The configuration in the README of the example: four processes, and a server on port 80. */
const exampleConfig = readFileSync("examples/express/nginx.conf", "utf8")

function createNginxConfig(
  port: number,
  upstreams: readonly Upstream[],
  generation: number,
): string {
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
  ${createSiteConfig(port, upstreams, generation)}
}
`
}

/** The same configuration with other ports, and with the process in a response header. */
function createSiteConfig(
  port: number,
  upstreams: readonly Upstream[],
  generation: number,
): string {
  const listen = `listen 127.0.0.1:${port} backlog=2048;
  add_header ${processHeader} $upstream_addr always;
  location = /generation { return 200 ${generation}; }`
  const servers = upstreams.map(
    // Sends requests to a failed process again immediately.
    (each) => `server 127.0.0.1:${each.port} max_fails=0${each.isDown ? " down" : ""};`,
  )
  const site = exampleConfig
    .replace("listen 80;", listen)
    .replaceAll(/server 127\.0\.0\.1:\d+;/g, () => servers.shift() ?? "")
  if (servers.length > 0) throw new Error("examples/express/nginx.conf names too few processes")
  return site
}
