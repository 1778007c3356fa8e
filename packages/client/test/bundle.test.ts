/** Bundles the entries as a page does: with the client and nothing of the server, whose types the client imports. */
import { build } from "esbuild"
import { expect, test } from "vitest"

test.each(["@latchkey/client", "@latchkey/client/webauthn"])(
  "%s brings no other package to a page",
  async (entry) => {
    const { metafile } = await build({
      stdin: { contents: `export * from "${entry}"`, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      metafile: true,
      format: "esm",
      conditions: ["@latchkey/source"],
    })
    const files = Object.keys(metafile.inputs).filter((path) => path !== "<stdin>")
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((path) => !path.startsWith("packages/client/src/"))).toEqual([])
  },
)
