/** Mistakes that prevent the configuration from loading. */
import {
  type ConfigMistake,
  createConfigFiles,
  validEnvironment,
} from "../support/config-mistake.ts"

export const loadingMistakes: readonly ConfigMistake[] = [
  {
    mistake: "no configuration",
    env: validEnvironment,
    expected: ["error", "file-missing", /No configuration/, /path of the file/],
  },
  {
    mistake: "a file that does not exist",
    args: ["login.ts"],
    env: validEnvironment,
    expected: ["error", "file-missing", /login\.ts/, /path of the configuration/],
  },
  {
    mistake: "an import that cannot be resolved",
    files: { "auth.mjs": 'import "$env/dynamic/private"\nexport default { providers: [] }\n' },
    env: validEnvironment,
    expected: ["error", "package-missing", /\$env/, /outside the framework/],
  },
  {
    mistake: "a package that is not installed",
    files: { "auth.mjs": 'import "left-behind"\nexport default { providers: [] }\n' },
    env: validEnvironment,
    expected: ["error", "package-missing", /left-behind/, /npm install left-behind/],
  },
  {
    mistake: "a misspelled provider",
    files: { "auth.mjs": 'import "@latchkey/core/providers/git-hub"\n' },
    env: validEnvironment,
    expected: ["error", "import-missing", /@latchkey\/core\/providers\/git-hub/, /docs\/providers/],
  },
  {
    mistake: "a syntax error",
    files: { "auth.mjs": "export default { providers: [ }\n" },
    env: validEnvironment,
    expected: ["error", "file-fails", /Unexpected token/, /separate file/],
  },
  {
    mistake: "an error of the configuration itself",
    files: { "auth.mjs": 'throw new Error("Add a provider.")\n' },
    env: validEnvironment,
    expected: ["error", "file-fails", /Add a provider\./, /auth\.mjs throws this error itself/],
  },
  {
    mistake: "an error of the configuration because of NODE_ENV, which only the application sets",
    files: {
      "auth.mjs":
        'if (process.env.NODE_ENV !== "development") throw new Error("Add a provider.")\n',
    },
    env: { ...validEnvironment, NODE_ENV: "" },
    expected: [
      "error",
      "file-fails",
      /Add a provider\./,
      /npx @latchkey\/cli doctor --development/,
    ],
  },
  {
    mistake: "no export",
    files: { "auth.mjs": "const authConfig = { providers: [] }\nexport const a = 1\n" },
    env: validEnvironment,
    expected: ["error", "export-missing", /exports none of/, /exports: a/],
  },
  {
    mistake: "an export under another name",
    files: createConfigFiles(""),
    args: ["--export", "options"],
    env: validEnvironment,
    expected: ["error", "export-missing", /options/, /authConfig/],
  },
  {
    mistake: "an export of createAuth alone",
    files: {
      "auth.mjs":
        'import { createAuth } from "@latchkey/core"\n' +
        "export default createAuth({ providers: [], trustHost: true, secret: process.env.AUTH_SECRET })\n",
    },
    env: validEnvironment,
    expected: ["error", "export-compiled", /createAuth/, /authConfig/],
  },
  {
    mistake: "an export that is a string",
    files: { "auth.mjs": 'export default "providers"\n' },
    env: validEnvironment,
    expected: ["error", "export-unusable", /string/, /object/],
  },
  {
    mistake: "a misspelled `providers`",
    files: { "auth.mjs": "export default { provider: [] }\n" },
    env: validEnvironment,
    expected: ["error", "providers-missing", /provider$/, /providers: \[/],
  },
  {
    mistake: "an env file that does not exist",
    files: createConfigFiles(""),
    args: ["--env", ".env.local"],
    expected: ["error", "env-file-missing", /\.env\.local/, /--env/],
  },
]
