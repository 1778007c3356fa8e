import { runScript } from "./run-script.ts"

/** Installs the package registry and the package managers, once for all files that start one. */
export default function setUp(): void {
  runScript("scripts/compat-install.ts", "compat/registry")
}
