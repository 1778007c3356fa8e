import { build, type InlineConfig, type Rolldown } from "vite"
import { readBuildEntries } from "./package-targets.ts"

/**
 * Writes the JavaScript of a package into `dist`: a file for each entry, and chunks for what entries share or import
 * dynamically. Returns their paths, relative to `dist`.
 */
export async function bundlePackage(folder: string): Promise<string[]> {
  const [result] = [await build(createOptions(folder))].flat()
  if (!result || !("output" in result)) throw new Error(`Vite wrote nothing for ${folder}.`)
  return result.output.map(({ fileName }) => fileName)
}

function createOptions(folder: string): InlineConfig {
  return {
    configFile: false,
    root: folder,
    logLevel: "warn",
    build: {
      outDir: "dist",
      emptyOutDir: false,
      target: "es2023",
      // Names and lines stay readable in a stack trace; the bundler of an application minifies.
      minify: false,
      sourcemap: true,
      lib: { entry: readBuildEntries(folder), formats: ["es"] },
      rolldownOptions: { external: isExternal, output: outputOptions },
    },
  }
}

const outputOptions: Rolldown.OutputOptions = {
  chunkFileNames: "chunks/[name].js",
  // `src` is published, and the declarations have the comments.
  sourcemapExcludeSources: true,
  comments: { annotation: true, legal: true, jsdoc: false },
}

/** Packages, modules of Node.js, and the imports that `imports` in the manifest selects at run time. */
function isExternal(specifier: string): boolean {
  return !/^[./]/.test(specifier)
}
