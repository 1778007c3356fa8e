/** Mistakes in databases, callbacks, mail, pages and routes. */
import {
  createConfigFiles,
  createPasswordFiles,
  createProviderFiles,
  nodemailerImport,
  sqlImport,
} from "../config-files.ts"
import type { Misconfiguration } from "../misconfiguration.ts"
import { readSession, requestEmail, signInWithPassword, signInWithProvider } from "../triggers.ts"

const online = ["--online"]
const refused = (words: RegExp) => ({ production: /Sign-in is unavailable/, development: words })
const notCalled = "The doctor calls no callbacks, because they may write or send something."

const migrated = `${sqlImport}await migrate(database)\n`
const createMailFiles = (server: string) =>
  createConfigFiles(
    `providers: [nodemailer({ ${server} })], adapter: SqlAdapter(database)`,
    `${nodemailerImport}${migrated}`,
  )
const postgresImport = `import { SqlAdapter } from "@latchkey/sql"
import pg from "pg"
const pool = new pg.Pool({ connectionString: "postgres://ada:the-password-of-ada@127.0.0.1:1/app" })
`

export const applicationMistakes: readonly Misconfiguration[] = [
  {
    mistake: "e-mail without a database",
    files: createConfigFiles(
      'providers: [nodemailer({ server: "smtp://127.0.0.1:1" })]',
      nodemailerImport,
    ),
    doctor: { code: "MissingAdapter", what: /adapter/, fix: /nodemailer/ },
    terminal: { type: "MissingAdapter", words: [/adapter/, /nodemailer/] },
    browser: refused(/MissingAdapter/),
  },
  {
    mistake: "database sessions without a database",
    files: createPasswordFiles('session: { strategy: "database" }'),
    doctor: { code: "MissingAdapter", what: /adapter/, fix: /strategy: "jwt"/ },
    terminal: { type: "MissingAdapter", words: [/adapter/, /strategy: "jwt"/] },
    browser: refused(/MissingAdapter/),
  },
  {
    mistake: "an adapter that lacks methods",
    files: createPasswordFiles("adapter: { getUser: async () => null }"),
    doctor: { code: "MissingAdapterMethods", what: /createSession/, fix: /adapter/ },
    terminal: { type: "MissingAdapterMethods", words: [/createSession/, /adapter/] },
    browser: refused(/createSession/),
  },
  {
    mistake: "an adapter that was not awaited",
    files: createPasswordFiles("adapter: Promise.resolve({})"),
    doctor: { code: "InvalidOption", what: /adapter/, fix: /await/ },
    terminal: { type: "InvalidOption", words: [/adapter/, /await/] },
    browser: refused(/adapter/),
  },
  {
    mistake: "a database without tables",
    files: createProviderFiles("", "adapter: SqlAdapter(database)", sqlImport),
    trigger: signInWithProvider,
    doctor: { code: "adapter-fails", what: /no such table/, fix: /migrate/ },
    terminal: { type: "", words: [/no such table/, /migrate/] },
    browser: { production: /Sign-in is unavailable/, development: /no such table/ },
  },
  {
    mistake: "a database that cannot be reached",
    files: createProviderFiles("", "adapter: SqlAdapter(pool)", postgresImport),
    trigger: signInWithProvider,
    doctor: { code: "adapter-fails", what: /ECONNREFUSED/, fix: /database is running/ },
    terminal: { type: "AdapterError", words: [/ECONNREFUSED/, /cannot be reached/] },
    browser: { production: /Sign-in is unavailable/, development: /ECONNREFUSED/ },
  },
  {
    mistake: "a `session` callback that returns nothing",
    files: createPasswordFiles("callbacks: { session() {} }"),
    trigger: readSession,
    doctor: { unseen: notCalled },
    terminal: { type: "", words: [/session/, /return/] },
    browser: { production: /session is unavailable/, development: /session is unavailable/ },
  },
  {
    mistake: "a `jwt` callback that returns nothing",
    files: createPasswordFiles("callbacks: { jwt() {} }"),
    trigger: signInWithPassword,
    doctor: { unseen: notCalled },
    terminal: { type: "", words: [/jwt/, /return/] },
    browser: { production: /Sign-in is unavailable/, development: /jwt/ },
  },
  {
    mistake: "a callback that throws",
    files: createPasswordFiles(
      'callbacks: { signIn() { throw new TypeError("plan is not defined") } }',
    ),
    trigger: signInWithPassword,
    doctor: { unseen: notCalled },
    terminal: { type: "AccessDenied", words: [/signIn/, /plan is not defined/] },
    browser: { production: /Access denied/, development: /plan is not defined/ },
  },
  {
    mistake: "a mail server that refuses connections",
    files: createMailFiles('server: "smtp://127.0.0.1:1", from: "a@example.com"'),
    trigger: requestEmail,
    doctor: { args: online, code: "mail-fails", what: /ECONNREFUSED/, fix: /port/ },
    terminal: { type: "EmailSignInError", words: [/ECONNREFUSED/, /mail server/] },
    browser: { production: /Sign-in is unavailable/, development: /ECONNREFUSED/ },
  },
  {
    mistake: "no mail server",
    files: createMailFiles("server: process.env.EMAIL_SERVER"),
    doctor: { code: "file-fails", what: /nodemailer.*`server`/, fix: /./ },
    terminal: { type: "AuthError", words: [/nodemailer/, /`server`/, /connection URL/] },
    browser: { unseen: "The application does not start." },
  },
  {
    mistake: "e-mails without a sender",
    files: createMailFiles('server: "smtp://127.0.0.1:1"'),
    doctor: { code: "mail-sender", what: /no-reply@/, fix: /`from`/ },
    terminal: { unseen: "The default sender works where the mail server accepts it." },
    browser: { unseen: "The default sender works where the mail server accepts it." },
  },
  {
    mistake: "passkeys of another host",
    files: createConfigFiles(
      `providers: [passkey({ relayingParty: { id: "example.com", origin: "https://example.com" } })],
      adapter: SqlAdapter(database), experimental: { enableWebAuthn: true }`,
      `import passkey from "@latchkey/core/providers/passkey"\n${migrated}`,
    ),
    doctor: {
      code: "relying-party-differs",
      what: /example\.com.*127\.0\.0\.1/,
      fix: /relayingParty/,
    },
    terminal: { unseen: "The browser refuses before it sends anything." },
    browser: { unseen: "Only the script of the page gets the browser's SecurityError." },
  },
  {
    mistake: "a page without its slash",
    files: createProviderFiles("", 'pages: { signIn: "login" }'),
    doctor: { code: "InvalidOption", what: /pages\.signIn.*"login"/, fix: /"\/login"/ },
    terminal: { type: "InvalidOption", words: [/pages\.signIn/, /"\/login"/] },
    browser: refused(/pages\.signIn/),
  },
  {
    mistake: "a sign-in page that does not exist",
    files: createProviderFiles("", 'pages: { signIn: "/login" }'),
    doctor: {
      args: online,
      code: "page-missing",
      what: /pages\.signIn.*404/,
      fix: /Create the page/,
    },
    terminal: { unseen: "The library sends visitors to the page, and does not see the response." },
    browser: { production: /Cannot GET \/login/, development: /Cannot GET \/login/ },
  },
  {
    mistake: "a sign-in page that a guard protects",
    files: createProviderFiles("", 'pages: { signIn: "/login" }'),
    mount(app, auth) {
      app.use("/auth", auth)
      app.use((_req, res) => res.redirect("/auth/signin"))
    },
    doctor: { args: online, code: "page-loops", what: /pages\.signIn/, fix: /guard/ },
    terminal: { unseen: "The library sends visitors to the page, and does not see the response." },
    browser: { unseen: "The browser's own page says that there were too many redirects." },
  },
  {
    mistake: "an error page that a guard protects",
    files: createProviderFiles("", 'pages: { error: "/oops" }'),
    mount(app, auth) {
      app.use("/auth", auth)
      app.use((_req, res) => res.redirect("/auth/signin"))
    },
    trigger: (browser) => browser.open("/auth/callback/idp?code=x&state=y"),
    doctor: { args: online, code: "page-loops", what: /pages\.error/, fix: /guard/ },
    terminal: { type: "InvalidCheck", words: [/sign-in/] },
    browser: { production: /Sign in/, development: /Sign in/ },
  },
  {
    mistake: "a middleware that reads the form first and drops it",
    files: createProviderFiles(),
    mount(app, auth) {
      app.use((req, _res, next) => void req.resume().on("end", () => next()))
      app.use("/auth", auth)
    },
    trigger: signInWithProvider,
    doctor: {
      unseen: "A body parser changes only requests with a form, which the doctor does not send.",
    },
    terminal: { type: "InvalidRequest", words: [/body/, /before/] },
    browser: { production: /Bad request/, development: /Bad request/ },
  },
  {
    mistake: "the middleware after the handler for 404",
    files: createProviderFiles(),
    mount(app, auth) {
      app.use((_req, res) => void res.status(404).send("Not found"))
      app.use("/auth", auth)
    },
    doctor: {
      args: online,
      code: "route-missing",
      what: /providers returned status 404/,
      fix: /\/auth/,
    },
    terminal: { unseen: "No request reaches the library." },
    browser: { production: /Not found/, development: /Not found/ },
  },
  {
    mistake: "a form without its token",
    files: createProviderFiles(),
    trigger: (browser) => browser.post("/auth/signin/idp", {}),
    doctor: { unseen: "The form is a page of the application." },
    terminal: { type: "MissingCSRF", words: [/csrfToken/, /signIn/] },
    browser: { production: /try again/i, development: /MissingCSRF/ },
  },
  {
    mistake: "a link instead of a form",
    files: createProviderFiles(),
    trigger: (browser) => browser.open("/auth/signin/idp"),
    doctor: { unseen: "The link is in a page of the application." },
    terminal: { type: "UnknownAction", words: [/POST/] },
    browser: { production: /Sign-in is unavailable|Sign in/, development: /UnknownAction|POST/ },
  },
]
