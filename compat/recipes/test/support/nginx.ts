/** Starts nginx with the configuration of docs/hosting.md. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { findFreePort } from "../../../../scripts/applications/application-server.ts"
import { findProgram } from "../../../../scripts/processes/programs.ts"

const siteConfig = readFileSync(join(import.meta.dirname, "../../hosting/nginx.conf"), "utf8")

/** Returns the port on which nginx accepts TLS connections and passes requests on to an application. */
export async function startNginx(applicationPort: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-hosting-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const subject = ["-subj", "/CN=example.com", "-days", "1", "-nodes", "-newkey", "rsa:2048"]
  const files = ["-keyout", "key.pem", "-out", "certificate.pem"]
  execFileSync("openssl", ["req", "-x509", ...subject, ...files], { cwd: folder, stdio: "ignore" })
  const port = await findFreePort(0)
  writeFileSync(join(folder, "nginx.conf"), createConfig(folder, port, applicationPort))
  const nginx = spawn(findProgram("nginx") ?? "nginx", ["-p", folder, "-c", "nginx.conf"], {
    stdio: ["ignore", "ignore", "inherit"],
  })
  onTestFinished(async () => {
    if (nginx.exitCode === null && nginx.kill("SIGTERM")) await once(nginx, "exit")
  })
  while (!(await isListening(port))) {
    if (nginx.exitCode !== null) throw new Error("nginx did not start.")
  }
  return port
}

function createConfig(folder: string, port: number, applicationPort: number): string {
  const site = siteConfig
    .replaceAll("listen 443", `listen 127.0.0.1:${port}`)
    .replace("127.0.0.1:3000", `127.0.0.1:${applicationPort}`)
    .replace(/\/etc\/\S+\/fullchain\.pem/, join(folder, "certificate.pem"))
    .replace(/\/etc\/\S+\/privkey\.pem/, join(folder, "key.pem"))
  return `
daemon off;
pid nginx.pid;
${process.getuid?.() === 0 ? `user ${userInfo().username};` : ""}
error_log stderr crit;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  ${site}
}
`
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })
}
