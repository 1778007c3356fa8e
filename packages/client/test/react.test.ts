/** Renders on the server; tests of the example do the rest in a browser. */
import { getSession, SessionProvider, useSession } from "@latchkey/client/react"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import { expect, test } from "vitest"

function UserName() {
  const { data, status } = useSession()
  return createElement("p", null, status, " ", data?.user?.name)
}

const render = (props: object) =>
  renderToString(createElement(SessionProvider, props, createElement(UserName))).replace(
    /<[^>]+>/g,
    "",
  )

test("shows the session that the server knows", () => {
  const session = { user: { name: "Ada" }, expires: "2030-01-01T00:00:00.000Z" }
  expect(render({ session })).toBe("authenticated Ada")
  expect(render({ session: null })).toBe("unauthenticated ")
  expect(render({})).toBe("loading ")
})

test("a session that is required is loading until somebody has signed in", () => {
  const Required = () => createElement("p", null, useSession({ required: true }).status)
  const provider = createElement(SessionProvider, { session: null }, createElement(Required))
  expect(renderToString(provider)).toBe("<p>loading</p>")
})

test("names what is missing", () => {
  expect(() => renderToString(createElement(UserName))).toThrow("<SessionProvider>")
  expect(getSession).toBeTypeOf("function")
})
