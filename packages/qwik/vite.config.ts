/** Library mode: the optimizer of an application works on modules with this ending alone. */
import { qwikVite } from "@builder.io/qwik/optimizer"
import { defineConfig, type Plugin } from "vite"

/** Takes an option out that Qwik 1 sets for Rollup, and that Vite 8 warns of. */
const knownOptions: Plugin = {
  name: "known-options",
  enforce: "post",
  configResolved({ build }) {
    const outputs = [build.rolldownOptions.output ?? []].flat()
    for (const output of outputs) Reflect.deleteProperty(output, "onlyExplicitManualChunks")
  },
}

export default defineConfig({
  logLevel: "error",
  build: {
    outDir: "dist",
    emptyOutDir: false,
    target: "es2022",
    minify: false,
    sourcemap: true,
    lib: {
      entry: "src/index.ts",
      formats: ["es"],
      fileName: (_format, name) => `${name}.qwik.mjs`,
    },
    rollupOptions: {
      external: [/^@builder\.io\//, /^@latchkey\//],
      output: { preserveModules: true, preserveModulesRoot: "src" },
    },
  },
  plugins: [qwikVite(), knownOptions],
})
