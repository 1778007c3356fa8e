/** Mistakes in environment variables, secrets and URLs. */
import { createConfigFiles, createProviderFiles, secret } from "../config-files.ts"
import type { Misconfiguration } from "../misconfiguration.ts"
import { openSignInPage, signInWithProvider } from "../triggers.ts"

/** The page of a configuration that refuses every request. */
const refused = (words: RegExp) => ({ production: /Sign-in is unavailable/, development: words })

export const environmentMistakes: readonly Misconfiguration[] = [
  {
    mistake: "no secret",
    files: createProviderFiles(),
    env: { AUTH_SECRET: undefined },
    doctor: { code: "MissingSecret", what: /secret/, fix: /AUTH_SECRET/ },
    terminal: { type: "MissingSecret", words: [/secret/, /AUTH_SECRET/] },
    browser: refused(/MissingSecret/),
  },
  {
    mistake: "a short secret",
    files: createProviderFiles(),
    env: { AUTH_SECRET: "hunter2" },
    doctor: { code: "WeakSecret", what: /32 characters/, fix: /@latchkey\/cli secret/ },
    terminal: { type: "WeakSecret", words: [/32 characters/, /@latchkey\/cli secret/] },
    browser: refused(/WeakSecret/),
  },
  {
    mistake: "one secret for sessions and for the redirect proxy",
    files: createProviderFiles(),
    env: { AUTH_REDIRECT_PROXY_SECRET: secret },
    doctor: { code: "InvalidOption", what: /redirectProxySecret/, fix: /share another one/ },
    terminal: { type: "InvalidOption", words: [/redirectProxySecret/, /share another one/] },
    browser: refused(/redirectProxySecret/),
  },
  {
    mistake: "a secret in a .env file that nothing loads",
    files: {
      ...createProviderFiles(),
      ".env": `AUTH_SECRET=${secret}\n`,
      "package.json": JSON.stringify({ type: "module", scripts: { start: "node app.js" } }),
    },
    env: { AUTH_SECRET: undefined },
    doctor: { code: "env-file-unread", what: /\.env sets AUTH_SECRET/, fix: /--env-file=\.env/ },
    terminal: {
      type: "MissingSecret",
      words: [/`\.env` sets AUTH_SECRET/, /--env-file=\.env/],
      mode: "development",
    },
    browser: refused(/MissingSecret/),
  },
  {
    mistake: "a secret in quotes that belong to the value",
    files: createProviderFiles('client: { token_endpoint_auth_method: "client_secret_post" }'),
    env: { AUTH_IDP_SECRET: '"{secret}"' },
    trigger: signInWithProvider,
    doctor: { code: "variable-quoted", what: /AUTH_IDP_SECRET/, fix: /quotes/ },
    terminal: { type: "", words: [/invalid_client/, /AUTH_IDP_SECRET/] },
    browser: {
      production: /Sign-in is unavailable|sign-in was not completed/,
      development: /invalid_client/,
    },
  },
  {
    mistake: "a client secret that ends with a line break",
    files: createProviderFiles(),
    env: { AUTH_IDP_SECRET: "{secret}\n" },
    trigger: signInWithProvider,
    doctor: { code: "variable-quoted", what: /AUTH_IDP_SECRET.*line break/, fix: /line breaks/ },
    terminal: { type: "", words: [/invalid_client/, /AUTH_IDP_SECRET/] },
    browser: {
      production: /Sign-in is unavailable|sign-in was not completed/,
      development: /invalid_client/,
    },
  },
  {
    mistake: "a client id under another name",
    files: createProviderFiles(),
    env: { AUTH_IDP_ID: undefined, AUTH_IDP_CLIENT_ID: "app" },
    doctor: { code: "MissingClientId", what: /clientId/, fix: /AUTH_IDP_CLIENT_ID.*AUTH_IDP_ID/ },
    terminal: { type: "MissingClientId", words: [/clientId/, /AUTH_IDP_ID/] },
    browser: { production: /Sign in/, development: /AUTH_IDP_ID/ },
  },
  {
    mistake: "a host that nobody trusts, behind a proxy",
    files: createProviderFiles(),
    env: { AUTH_TRUST_HOST: undefined },
    doctor: {
      args: ["--production"],
      code: "UntrustedHost",
      what: /trustHost/,
      fix: /AUTH_TRUST_HOST/,
    },
    terminal: {
      type: "UntrustedHost",
      words: [/trustHost/, /AUTH_URL/, /AUTH_TRUST_HOST/],
      mode: "production",
    },
    browser: { production: /Sign-in is unavailable/, development: /Sign in/ },
  },
  {
    mistake: "AUTH_URL of another host",
    files: createProviderFiles(),
    env: { AUTH_URL: "https://old.example.com" },
    doctor: { code: "auth-url-elsewhere", what: /old\.example\.com/, fix: /Set AUTH_URL/ },
    terminal: {
      unseen: "Behind a proxy, the server cannot know which host the address bar shows.",
    },
    browser: {
      production: /https:\/\/old\.example\.com/,
      development: /https:\/\/old\.example\.com/,
    },
  },
  {
    mistake: "AUTH_URL without a scheme",
    files: createProviderFiles(),
    env: { AUTH_URL: "example.com" },
    doctor: { code: "auth-url-unusable", what: /AUTH_URL/, fix: /https:\/\/example\.com/ },
    terminal: {
      type: "[auth][error]",
      words: [/AUTH_URL must be an http\(s\) URL, such as https/],
    },
    browser: { production: /Internal Server Error/, development: /AUTH_URL/ },
  },
  {
    mistake: "AUTH_URL with the path of a page",
    files: createProviderFiles(),
    env: { AUTH_URL: "{origin}/auth/signin" },
    doctor: { code: "auth-url-page", what: /\/auth\/signin/, fix: /Set it to .*\/auth\.$/ },
    terminal: { unseen: "The mount takes precedence in Express, so that sign-ins work." },
    browser: { unseen: "The mount takes precedence in Express, so that sign-ins work." },
  },
  {
    mistake: "AUTH_URL with another path than the mount",
    files: createProviderFiles("", 'basePath: "/auth"'),
    env: { AUTH_URL: "{origin}/api/auth" },
    doctor: { code: "base-path-differs", what: /\/api\/auth.*\/auth/, fix: /same path/ },
    terminal: { unseen: "The mount takes precedence in Express, so that sign-ins work." },
    browser: { unseen: "The mount takes precedence in Express, so that sign-ins work." },
  },
  {
    mistake: "a base path that is not that of the mount",
    files: {
      ...createProviderFiles("", 'basePath: "/account"'),
      "package.json": '{ "type": "module", "dependencies": { "@latchkey/express": "1" } }',
      "app.js": 'app.use("/auth", MiddlewareAuth(authConfig))\n',
    },
    doctor: { code: "mount-differs", what: /app\.js.*\/auth.*\/account/, fix: /basePath/ },
    terminal: { type: "", words: [/\/auth/, /basePath/, /\/account/] },
    browser: { production: /Cannot GET \/auth\/signin/, development: /Cannot GET \/auth\/signin/ },
  },
  {
    mistake: "a base path without its slash",
    files: createProviderFiles("", 'basePath: "auth"'),
    doctor: { code: "InvalidOption", what: /basePath.*"auth"/, fix: /"\/auth"/ },
    terminal: { type: "TypeError", words: [/basePath/, /"\/auth"/] },
    browser: { unseen: "The application does not start." },
  },
  {
    mistake: "a regular expression as base path",
    files: createProviderFiles("", "basePath: /^\\/auth/"),
    doctor: { code: "InvalidOption", what: /basePath/, fix: /"\/auth"/ },
    terminal: { type: "TypeError", words: [/`basePath` must be a path/, /"\/auth"/] },
    browser: { unseen: "The application does not start." },
  },
  {
    mistake: "secure cookies at http",
    files: createProviderFiles("", "useSecureCookies: true"),
    origin: "http://intranet.example",
    trigger: signInWithProvider,
    doctor: {
      args: ["--url", "http://intranet.example"],
      code: "cookies-refused",
      what: /useSecureCookies.*http:\/\/intranet\.example/,
      fix: /https/,
    },
    terminal: { type: "MissingCSRF", words: [/cookie/, /https/] },
    browser: { production: /try again/i, development: /try again/i },
  },
  {
    mistake: "a cookie with the prefix __Host- and a domain",
    files: createProviderFiles(
      "",
      'cookies: { csrfToken: { name: "__Host-csrf", options: { domain: "example.com" } } }',
    ),
    doctor: { code: "InvalidOption", what: /csrfToken/, fix: /domain/ },
    terminal: { type: "InvalidOption", words: [/csrfToken/, /domain/] },
    browser: refused(/csrfToken/),
  },
  {
    mistake: "trusted origins that are not origins",
    files: createProviderFiles("", 'trustedOrigins: ["app.example.com"]'),
    doctor: { code: "InvalidOption", what: /trustedOrigins/, fix: /https:\/\/app\.example\.com/ },
    terminal: { type: "InvalidOption", words: [/trustedOrigins/, /https:\/\/app\.example\.com/] },
    browser: refused(/trustedOrigins/),
  },
  {
    mistake: "a lifetime in words",
    files: createProviderFiles("", 'session: { maxAge: "30d" }'),
    doctor: { code: "InvalidOption", what: /session\.maxAge.*30d/, fix: /seconds/ },
    terminal: { type: "InvalidOption", words: [/session\.maxAge/, /seconds/] },
    browser: refused(/session\.maxAge/),
  },
  {
    mistake: "a misspelled option",
    files: createConfigFiles("callback: {}"),
    trigger: openSignInPage,
    doctor: { code: "UnknownOption", what: /callback/, fix: /callbacks/ },
    terminal: { type: "UnknownOption", words: [/callback/, /callbacks/], mode: "development" },
    browser: { unseen: "The application works, without the option." },
  },
]
