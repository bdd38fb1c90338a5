import { useMemo, useState } from 'react'
import { Untrusted } from '../ui/text.tsx'
import { Rows } from './rows.tsx'
import { childrenStep, isOpenAtFirst, listRows, type JsonRow, type TreeState } from './json-rows.ts'
import type { JsonNode } from './json-scan.ts'

const maxIndent = 24

/** A JSON value as a tree. Only the visible lines are in the document. */
export function JsonTree({ root, text }: { readonly root: JsonNode; readonly text: string }) {
  const [state, setState] = useState<TreeState>({ toggled: new Set(), shown: new Map() })
  const rows = useMemo(() => listRows(root, state), [root, state])
  const toggle = (node: JsonNode) => {
    const toggled = new Set(state.toggled)
    if (!toggled.delete(node)) toggled.add(node)
    setState({ ...state, toggled })
  }
  const showMore = (node: JsonNode) => {
    const count = (state.shown.get(node) ?? childrenStep) + childrenStep * 5
    setState({ ...state, shown: new Map(state.shown).set(node, count) })
  }
  return (
    <Rows count={rows.length} label="Body as a JSON tree">
      {(index) => {
        const row = rows[index]
        return row && <Line row={row} text={text} onToggle={toggle} onMore={showMore} />
      }}
    </Rows>
  )
}

interface LineProps {
  readonly row: JsonRow
  readonly text: string
  readonly onToggle: (node: JsonNode) => void
  readonly onMore: (node: JsonNode) => void
}

function Line({ row, text, onToggle, onMore }: LineProps) {
  if ('rest' in row) {
    return (
      <Indent depth={row.rest.depth + 1}>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            onMore(row.rest)
          }}
        >
          {row.hidden.toLocaleString('en')} more
        </button>
      </Indent>
    )
  }
  const { node, isOpen } = row
  return (
    <Indent depth={node.depth}>
      {node.children === undefined || node.children.length === 0 ? (
        <span className="json-toggle" />
      ) : (
        <button
          type="button"
          className="json-toggle"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${node.key === undefined ? 'the body' : String(node.key)}`}
          onClick={() => {
            onToggle(node)
          }}
        >
          {isOpen ? '▾' : '▸'}
        </button>
      )}
      {node.key !== undefined && (
        <>
          <span className={typeof node.key === 'number' ? 'json-index' : 'json-key'}>
            <Untrusted
              text={typeof node.key === 'number' ? String(node.key) : unquote(node.key)}
              limit={120}
            />
          </span>
          <span className="json-colon">:</span>
        </>
      )}
      <Value node={node} text={text} isOpen={isOpen} />
    </Indent>
  )
}

function Indent({ depth, children }: { readonly depth: number; readonly children: React.ReactNode }) {
  return (
    <div className="json-line" style={{ paddingInlineStart: `${Math.min(depth, maxIndent)}rem` }}>
      {depth > maxIndent && <span className="json-depth">{depth}</span>}
      {children}
    </div>
  )
}

function Value({
  node,
  text,
  isOpen,
}: {
  readonly node: JsonNode
  readonly text: string
  readonly isOpen: boolean
}) {
  if (node.children) {
    const count = node.children.length
    const [open, close] = node.kind === 'array' ? ['[', ']'] : ['{', '}']
    const noun = node.kind === 'array' ? 'item' : 'member'
    return (
      <span className="json-brace">
        {isOpen && count > 0 ? open : `${open}${count > 0 ? '…' : ''}${close}`}
        {(!isOpen || !isOpenAtFirst(node)) && count > 0 && (
          <span className="json-count">
            {count.toLocaleString('en')} {noun}
            {count === 1 ? '' : 's'}
          </span>
        )}
      </span>
    )
  }
  const raw = text.slice(node.start, Math.min(node.end, node.start + 2000))
  if (node.kind !== 'string') return <span className={`json-${node.kind}`}>{raw}</span>
  return (
    <span className="json-string">
      "<Untrusted text={node.end - node.start > 2000 ? raw.slice(1) : unquote(raw)} limit={300} />"
    </span>
  )
}

/** The text of a JSON string. */
function unquote(raw: string): string {
  try {
    return JSON.parse(raw) as string
  } catch {
    return raw
  }
}
