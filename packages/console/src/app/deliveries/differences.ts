import { scanJson, type JsonNode } from '../body/json-scan.ts'
import type { DeliveryDetail } from './delivery-page.tsx'

/** A place where two deliveries differ; undefined where one has nothing. */
export interface Difference {
  readonly path: string
  readonly mine: string | undefined
  readonly theirs: string | undefined
}

export const maxDifferences = 200

/** Compares the headers, the queries and the bodies of two deliveries, up to a number of differences. */
export function compareDeliveries(mine: DeliveryDetail, theirs: DeliveryDetail): readonly Difference[] {
  const names = new Set([...Object.keys(mine.headers), ...Object.keys(theirs.headers)])
  const headers = [...names]
    .filter((name) => mine.headers[name] !== theirs.headers[name])
    .map((name) => ({ path: `header ${name}`, mine: mine.headers[name], theirs: theirs.headers[name] }))
  const query = { path: 'query', mine: mine.query ?? undefined, theirs: theirs.query ?? undefined }
  const queries = query.mine === query.theirs ? [] : [query]
  return [...headers, ...queries, ...compareTexts(mine.body?.data, theirs.body?.data)].slice(
    0,
    maxDifferences,
  )
}

/** Compares two bodies by their JSON values, or as a whole. */
function compareTexts(mine: string | undefined, theirs: string | undefined): readonly Difference[] {
  if (mine === theirs) return []
  const [one, other] = [mine, theirs].map((text) => (text === undefined ? undefined : scanJson(text)))
  if (one === undefined || other === undefined || mine === undefined || theirs === undefined)
    return [{ path: 'body', mine: mine?.slice(0, 200), theirs: theirs?.slice(0, 200) }]
  const differences: Difference[] = []
  const stack: (readonly [path: string, mine: JsonNode | undefined, theirs: JsonNode | undefined])[] = [
    ['body', one, other],
  ]
  for (let next = stack.pop(); next && differences.length < maxDifferences; next = stack.pop()) {
    const [path, left, right] = next
    if (left?.children && right?.children && left.kind === right.kind) {
      const [lefts, rights] = [byKey(left), byKey(right)]
      const keys = [...new Set([...lefts.keys(), ...rights.keys()])].reverse()
      for (const key of keys) stack.push([joinPath(path, key), lefts.get(key), rights.get(key)])
    } else {
      const [a, b] = [readText(left, mine), readText(right, theirs)]
      if (a !== b) differences.push({ path, mine: a, theirs: b })
    }
  }
  return differences
}

const byKey = ({ children }: JsonNode) => new Map((children ?? []).map((child) => [String(child.key), child]))

/** The path of a deep value keeps its last part. */
function joinPath(path: string, key: string): string {
  const joined = `${path}.${key.replace(/^"(.*)"$/s, '$1')}`
  return joined.length > 300 ? `…${joined.slice(-280)}` : joined
}

const readText = (node: JsonNode | undefined, text: string): string | undefined =>
  node && text.slice(node.start, node.end)
