import { createRenderer } from "@qwik.dev/router"
import Root from "./root.tsx"

export default createRenderer((options) => ({
  jsx: <Root />,
  options: {
    ...options,
    containerAttributes: { lang: "en", ...options.containerAttributes },
  },
}))
