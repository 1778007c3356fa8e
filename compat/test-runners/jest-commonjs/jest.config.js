module.exports = {
  transform: { "\\.[cm]?[jt]sx?$": "./esm-to-commonjs.js" },
  transformIgnorePatterns: [],
}
