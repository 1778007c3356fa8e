const { transformSync } = require("esbuild")

exports.process = (code, file) =>
  transformSync(code, {
    sourcefile: file,
    sourcemap: "inline",
    loader: "tsx",
    format: "cjs",
    supported: { "dynamic-import": false },
  })
