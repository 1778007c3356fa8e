import { useEffect } from "react"
import { useRevalidator } from "react-router"

/** Loads the data of the page again when the user returns to this tab, because the session may have ended elsewhere. */
export function RefreshOnReturn() {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const refreshIfVisible = () => {
      if (!document.hidden) void revalidate()
    }
    document.addEventListener("visibilitychange", refreshIfVisible)
    return () => document.removeEventListener("visibilitychange", refreshIfVisible)
  }, [revalidate])
  return null
}
