"use client"

import { usePathname, useRouter } from "next/navigation"
import { useEffect, useRef } from "react"

/**
 * Loads the page again when the user returns to this tab, and the header when the router has navigated, because the session
 * may have ended elsewhere.
 */
export function RefreshOnReturn() {
  const router = useRouter()
  const path = usePathname()
  const shownPath = useRef(path)

  useEffect(() => {
    if (shownPath.current !== path) router.refresh()
    shownPath.current = path
  }, [router, path])

  useEffect(() => {
    const refreshIfVisible = () => {
      if (!document.hidden) router.refresh()
    }
    document.addEventListener("visibilitychange", refreshIfVisible)
    return () => document.removeEventListener("visibilitychange", refreshIfVisible)
  }, [router])

  return null
}
