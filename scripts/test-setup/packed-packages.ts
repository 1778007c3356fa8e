import { runScript } from "./run-script.ts"

/** Applications install the packages from tarballs, as their users do from npm. */
export default function setUp(): void {
  runScript("scripts/build.ts")
  runScript("scripts/pack.ts")
}
