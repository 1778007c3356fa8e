/** Renders the goals, and what was reached. */
import { computeFloor, computeStatus, type Goal, goals } from "./goals.ts"
import { renderTable } from "./markdown.ts"
import type { StoredResults } from "./results.ts"

/** Renders the section of docs/performance.md. */
export function renderGoals(results: StoredResults): string {
  const reached = goals.map((goal) => ({ goal, value: goal.measure(results) }))
  const body = reached.map(({ goal, value }) => [
    goal.title,
    renderFigure(goal, goal.goal),
    value === undefined ? "–" : `${renderNumber(value)} ${goal.unit}`,
    renderFigure(goal, computeFloor(goal)),
    computeStatus(goal, value),
  ])
  const statuses = reached.map(({ goal, value }) => computeStatus(goal, value))
  const count = (status: string) => statuses.filter((each) => each === status).length
  return [
    renderTable(["Work", "Goal", "Reached", "Floor", ""], body),
    `${count("met")} of ${goals.length} goals are met, ${count("within the floor")} are within the floor, ` +
      `${count("missed")} are missed, and ${count("not measured")} are not measured.`,
  ].join("\n\n")
}

const renderFigure = ({ direction, unit }: Goal, value: number): string =>
  `${direction === "at least" ? "≥" : "≤"} ${renderNumber(value)} ${unit}`

/** Floors of small goals need two decimals: 90 % of 1.9 is 1.71. */
const renderNumber = (value: number): string => String(Number(value.toFixed(value < 4 ? 2 : 1)))
