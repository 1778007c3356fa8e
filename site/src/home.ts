/** The start page: the beginning of the README, with a command, the frameworks, and where to go from there. */

const start = `\`\`\`sh
npm create @latchkey my-app
\`\`\`

<div class="actions">

[Get started](docs/getting-started.md)
[Add it to your application](docs/init.md)
[Migrate from Auth.js](docs/migrating.md)

</div>`

const frameworks = `## Your framework

- [**Express**](docs/express.md) 4 and 5
- [**SvelteKit**](docs/sveltekit.md) 2 and 3
- [**SolidStart**](docs/solid-start.md) 1 and 2
- [**Qwik**](docs/qwik.md) City 1 and Qwik 2
- [**Next.js**](docs/next.md) 15.5 and 16
- [**Hono**](docs/hono.md) 4
- [**React Router**](docs/react-router.md) 8
- [**Astro**](docs/astro.md) 7
- [**Nuxt**](docs/nuxt.md) 4
- [**Everything with Request and Response**](docs/fetch.md), such as Bun, Deno, Workers, h3 and Elysia

There are guides for [Fastify](docs/fastify.md) and [NestJS](docs/nestjs.md), too.`

const end = `## Where to go from here

- [**Ways to sign in**](docs/sign-in.md): providers, e-mail, passwords and passkeys
- [**Users and sessions**](docs/sessions.md): who is signed in, for how long, and [who may do what](docs/authorization.md)
- [**In production**](docs/deployment.md): addresses, proxies, secrets and several processes
- [**Examples**](examples/README.md): a complete application for each framework
- [**The comparison**](docs/comparison.md): when Auth.js, Better Auth or Passport suits you better
- [**Security**](SECURITY.md): what is promised, and [each known attack](docs/security/cases.md) with its test`

/**
 * Creates the start page from the README: what the library is, its picture, the section "Why", and the section with the
 * first example.
 *
 * @throws TypeError if the README lacks one of them
 */
export function createHomePage(readme: string): string {
  const [introduction = "", ...sections] = readme.split(/^(?=## )/m)
  const [, title, summary] = /^(# [^\n]+)\n+(.+?)\n\n/s.exec(introduction) ?? []
  const pictures = createPictures(introduction)
  const why = sections.find((section) => section.startsWith("## Why"))
  const example = sections.find((section) => section.includes("```ts "))
  if (!title || !summary || !pictures || !why || !example)
    throw new TypeError(
      "Expected README.md to begin with a title, a paragraph and a picture, and to have a section `Why` and an example that begins with ```ts and the name of a file.",
    )
  return [
    "<main>",
    `<div class="introduction"><div>\n\n${title}\n\n${summary}\n\n${start}\n\n</div>${pictures}</div>`,
    `<div class="cards reasons">\n\n${why}\n\n</div>`,
    `<div class="cards">\n\n${frameworks}\n\n</div>`,
    `<div class="example">\n\n${example}\n\n</div>`,
    `<div class="cards wide">\n\n${end}\n\n</div>`,
    "</main>",
  ].join("\n\n")
}

/** Returns two images for the picture, because visitors of the site choose between light and dark themselves. */
function createPictures(introduction: string): string | undefined {
  const [, dark, alt, light] =
    /<picture>.*? srcset="([^"]+)".*?<img alt="([^"]+)" src="([^"]+)"/s.exec(introduction) ?? []
  if (!dark || !light) return undefined
  const create = (file: string, colours: string) =>
    `<img alt="${alt}" src="./${file}" class="picture ${colours}" width="480" height="569">`
  return create(light, "light-only") + create(dark, "dark-only")
}
