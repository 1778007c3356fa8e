/** Measures a number of tenants in one process, each with a configuration of its own. */
import { Auth, createAuth } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import credentials from "@latchkey/core/providers/credentials"
import { sessionCookieName } from "../../libraries/authjs-compatible.ts"
import { testUser } from "../../test-user.ts"
import type { MeasuredValues } from "./dimensions.ts"
import { createCycle, measureBatch, measureRuns, readMemory } from "./measure.ts"
import { createProviderConfig } from "./test-provider.ts"

const url = new URL("http://localhost:3000/")
/** The number of further configurations that are created and used once. */
const extraCount = 1000
/** The number of requests with a new object each. */
const freshCount = 2000

interface Tenant {
  readonly config: ReturnType<typeof createConfig>
  readonly headers: Headers
}

export async function measureTenants(
  tenantCount: number,
  duration: number,
): Promise<MeasuredValues> {
  await warmUp(duration)
  const tenants = await createTenants(tenantCount)
  const sites = tenants.map(({ config, headers }) => ({ auth: createAuth(config), headers }))
  for (const { auth } of sites) await renderPage(auth)
  const nextSite = createCycle(sites)
  const check = await measureRuns(() => checkSession(nextSite()), duration, tenantCount)
  const more = await measureMore()
  const nextTenant = createCycle(tenants)
  const authCheck = await measureRuns(() => checkWithAuth(nextTenant()), duration, tenantCount)
  return { check, ...more, authCheck, ...(await measureFresh()) }
}

/** Creates and uses more configurations, while the others exist. */
async function measureMore(): Promise<MeasuredValues> {
  const tenants = await createTenants(extraCount)
  const nextTenant = createCycle(tenants)
  const sites: Site[] = []
  const before = readMemory()
  const create = await measureBatch(async () => {
    const { config, headers } = nextTenant()
    sites.push({ auth: createAuth(config), headers })
  }, extraCount)
  const measureMemory = () => (readMemory() - before) / extraCount / 1024
  const created = measureMemory()
  const nextSite = createCycle(sites)
  const firstCheck = await measureBatch(() => checkSession(nextSite()), extraCount)
  const checked = measureMemory()
  await measureBatch(() => renderPage(nextSite().auth), extraCount)
  return { create, created, firstCheck, checked, rendered: measureMemory() }
}

/** Passes a new object with each request. */
async function measureFresh(): Promise<MeasuredValues> {
  const [tenant] = await createTenants(1)
  if (!tenant) throw new TypeError("Expected a tenant")
  const { headers } = tenant
  const run = () => checkWithAuth({ config: { ...tenant.config }, headers })
  await measureBatch(run, freshCount)
  const before = readMemory()
  const freshCheck = await measureBatch(run, freshCount)
  return { freshCheck, freshMemory: (readMemory() - before) / freshCount / 1024 }
}

/** Loads and optimises the code that is measured. */
async function warmUp(duration: number): Promise<void> {
  const [tenant] = await createTenants(1)
  if (!tenant) throw new TypeError("Expected a tenant")
  const { config, headers } = tenant
  await measureRuns(async () => {
    const auth = createAuth({ ...config })
    await checkSession({ auth, headers })
    await renderPage(auth)
  }, duration)
}

async function createTenants(count: number): Promise<readonly Tenant[]> {
  const tenants: Tenant[] = []
  while (tenants.length < count) {
    const config = createConfig(tenants.length)
    const { name, email, id: sub } = testUser
    const { secret } = config
    const token = await encode({ token: { sub, name, email }, secret, salt: sessionCookieName })
    tenants.push({ config, headers: new Headers({ cookie: `${sessionCookieName}=${token}` }) })
  }
  return tenants
}

/** A configuration with its own secret, a provider and passwords. */
function createConfig(index: number) {
  return {
    secret: `${crypto.randomUUID()} ${crypto.randomUUID()}`,
    trustHost: true,
    providers: [
      createProviderConfig(index),
      credentials({
        credentials: { email: {}, password: { type: "password" } },
        authorize: () => null,
      }),
    ],
  }
}

interface Site {
  readonly auth: ReturnType<typeof createAuth>
  readonly headers: Headers
}

async function checkSession({ auth, headers }: Site): Promise<void> {
  const { session } = await auth.getSession({ headers, url })
  if (session?.user?.email !== testUser.email) throw new TypeError("Expected a session")
}

async function renderPage(auth: Site["auth"]): Promise<void> {
  const response = await auth.handle(new Request(new URL("/auth/signin", url)))
  if (!(await response.text()).includes('type="password"'))
    throw new TypeError("Expected a page with a password field")
}

async function checkWithAuth({ config, headers }: Tenant): Promise<void> {
  const response = await Auth(new Request(new URL("/auth/session", url), { headers }), config)
  if (!(await response.text()).includes(testUser.email)) throw new TypeError("Expected a session")
}
