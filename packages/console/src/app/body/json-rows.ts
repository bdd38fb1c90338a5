import type { JsonNode } from './json-scan.ts'

/** A line of the tree. */
export type JsonRow =
  | { readonly node: JsonNode; readonly isOpen: boolean }
  /** Represents the children after the shown ones. */
  | { readonly rest: JsonNode; readonly hidden: number }

/** What the reader opened: nodes against their default, and how many children of large nodes. */
export interface TreeState {
  readonly toggled: ReadonlySet<JsonNode>
  readonly shown: ReadonlyMap<JsonNode, number>
}

/** The number of children that are shown at once. */
export const childrenStep = 200
const maxRows = 100_000

/** Whether a node is open at first: the first two levels, unless they are long. */
export const isOpenAtFirst = ({ depth, children }: JsonNode): boolean =>
  depth < 3 && (children?.length ?? 0) <= 100

/** Lists the lines of the open part of a tree, without recursion. */
export function listRows(root: JsonNode, { toggled, shown }: TreeState): readonly JsonRow[] {
  const rows: JsonRow[] = []
  const stack: JsonRow[] = [{ node: root, isOpen: false }]
  for (let row = stack.pop(); row !== undefined && rows.length < maxRows; row = stack.pop()) {
    if ('rest' in row) {
      rows.push(row)
      continue
    }
    const { node } = row
    const isOpen = node.children !== undefined && isOpenAtFirst(node) !== toggled.has(node)
    rows.push({ node, isOpen })
    if (!isOpen) continue
    const count = Math.min(node.children.length, shown.get(node) ?? childrenStep)
    if (count < node.children.length) stack.push({ rest: node, hidden: node.children.length - count })
    for (let index = count - 1; index >= 0; index -= 1) {
      const child = node.children[index]
      if (child) stack.push({ node: child, isOpen: false })
    }
  }
  return rows
}
