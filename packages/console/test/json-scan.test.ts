import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listRows } from '../src/app/body/json-rows.ts'
import { scanJson, type JsonNode } from '../src/app/body/json-scan.ts'

function toValue(node: JsonNode, text: string): unknown {
  if (node.kind === 'array') return node.children?.map((child) => toValue(child, text))
  if (node.kind !== 'object') return JSON.parse(text.slice(node.start, node.end))
  return Object.fromEntries(
    (node.children ?? []).map((child) => [JSON.parse(String(child.key)) as string, toValue(child, text)]),
  )
}

it('scans every JSON value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      const root = scanJson(text)
      expect(root && toValue(root, text)).toEqual(JSON.parse(text))
    }),
  )
})

it('keeps large numbers, repeated names and the order of names', () => {
  const text = '{"b":12345678901234567890,"a":1.50,"b":"\\\\\\""}'
  const root = scanJson(text)
  const shown = root?.children?.map(({ key, start, end }) => `${String(key)}=${text.slice(start, end)}`)
  expect(shown).toEqual(['"b"=12345678901234567890', '"a"=1.50', '"b"="\\\\\\""'])
})

it.each(['', '{', '[1,]', 'text', '{"a":1}}', '\u0000'])('rejects %j', (text) => {
  expect(scanJson(text)).toBe(undefined)
})

it('scans 200,000 levels without recursion', () => {
  const depth = 200_000
  const text = '['.repeat(depth) + ']'.repeat(depth)
  const root = scanJson(text)
  expect(root?.kind).toBe('array')
  expect(root && listRows(root, { toggled: new Set(), shown: new Map() }).length).toBeLessThan(10)
})

it('shows the first part of a long array', () => {
  const root = scanJson(JSON.stringify({ list: Array.from({ length: 5000 }, (_, index) => index) }))
  const list = root?.children?.[0]
  expect(root && list).toBeDefined()
  if (!root || !list) return
  const rows = listRows(root, { toggled: new Set([list]), shown: new Map() })
  expect(rows).toHaveLength(2 + 200 + 1)
  expect(rows.at(-1)).toEqual({ rest: list, hidden: 4800 })
})
