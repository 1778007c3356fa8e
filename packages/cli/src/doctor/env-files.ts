/** Finds the files of environment variables that the development server of the application's framework reads. */
import { existsSync } from "node:fs"
import { readPackageJson } from "./package-json.ts"

/** Returns the existing files. A variable has the value of the first file that contains it. */
export function findEnvFiles(): string[] {
  return listEnvFiles(readPackageJson()).filter((file) => existsSync(file))
}

function listEnvFiles(packageJson: string): string[] {
  const uses = (name: string) => packageJson.includes(`"${name}"`)
  const isQwik = uses("@latchkey/qwik")
  const usesVite = isQwik || uses("@latchkey/sveltekit") || uses("@latchkey/solid-start")
  // A built application reads none, but is often started with `--env-file=.env`; so are Express and SolidStart 1.
  if (!usesVite || uses("vinxi") || process.env["NODE_ENV"] === "production") return [".env"]
  // The development server of Qwik is `vite --mode ssr`.
  const mode = isQwik ? "ssr" : "development"
  return [`.env.${mode}.local`, `.env.${mode}`, ".env.local", ".env"]
}
