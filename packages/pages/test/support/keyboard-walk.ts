/** Walks through a page with the keyboard, as people do who cannot use a mouse. */
import type { CDPSession, Page } from "playwright-core"

const keys = {
  Tab: { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 },
  Enter: { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" },
}

/** Returns the problems that a visitor with a keyboard has on the page in a session of its tab. */
export async function walkWithKeyboard(page: Page, session: CDPSession): Promise<string[]> {
  const count = await page.evaluate(observeKeyboard)
  // One more, which leaves the page or begins again. The browser handles events in their order.
  const presses = Array.from({ length: count + 1 }, () => [keys.Tab, keys.Enter]).flat()
  const events = presses.flatMap((key) => [
    session.send("Input.dispatchKeyEvent", { type: "keyDown", ...key }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...key }),
  ])
  await Promise.all(events)
  return page.evaluate(() => (globalThis as unknown as KeyboardObserver).describeWalk())
}

interface KeyboardObserver {
  describeWalk(): string[]
}

/** Notes each focused and each activated control from now on, and returns the number of controls. Runs in the page. */
function observeKeyboard(): number {
  const isRightToLeft = document.documentElement.dir === "rtl"
  const controls = [
    ...document.querySelectorAll<HTMLElement>("a[href], button, input, summary"),
  ].filter((control) => control.checkVisibility())
  const steps: { control: HTMLElement; hasOutline: boolean; activated?: EventTarget | null }[] = []

  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(target)
    const isDrawn = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1
    steps.push({ control: target, hasOutline: isDrawn && outlineColor !== "rgba(0, 0, 0, 0)" })
  })
  // Enter in a field presses the button that sends the form. Nothing is sent here.
  document.addEventListener("click", (event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
    const step = steps.at(-1)
    if (step && event.target instanceof Element) {
      step.activated = event.target.closest("a, button, summary")
    }
  })
  // The walk begins at the top, wherever the page has put the focus.
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute("tabindex")
  steps.length = 0

  const describe = (control: Element | undefined) => control?.outerHTML.slice(0, 160)
  const follows = (before: DOMRect, after: DOMRect) => {
    const distance = after.top + after.height / 2 - (before.top + before.height / 2)
    const isSameRow = Math.abs(distance) < Math.min(before.height, after.height) / 2
    if (!isSameRow) return distance > 0
    return isRightToLeft ? after.right <= before.left : after.left >= before.right
  }
  const activatesOwnForm = ({ control, activated }: (typeof steps)[number]) =>
    control instanceof HTMLInputElement
      ? activated instanceof HTMLButtonElement && activated.form === control.form
      : activated === control

  Object.assign(globalThis, {
    describeWalk: () => {
      const walk = steps.slice(0, controls.length)
      const next = steps[controls.length]?.control
      // Browsers begin again at the top, or go to their own controls.
      const isTrapped = next ? next !== controls[0] : document.activeElement === controls.at(-1)
      return [
        ...controls.flatMap((control, index) =>
          walk[index]?.control === control ? [] : [`Tab misses ${describe(control)}`],
        ),
        ...walk.flatMap(({ control, hasOutline }) =>
          hasOutline ? [] : [`the focus is invisible on ${describe(control)}`],
        ),
        ...walk.flatMap((step) =>
          activatesOwnForm(step) ? [] : [`Enter does nothing on ${describe(step.control)}`],
        ),
        ...walk.flatMap(({ control }, index) => {
          const before = walk[index - 1]?.control
          const isInOrder =
            !before || follows(before.getBoundingClientRect(), control.getBoundingClientRect())
          return isInOrder ? [] : [`${describe(control)} is before ${describe(before)}`]
        }),
        ...(isTrapped ? [`the focus does not leave ${describe(controls.at(-1))}`] : []),
      ]
    },
  })
  return controls.length
}
