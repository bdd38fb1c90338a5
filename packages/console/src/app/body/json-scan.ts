/** A value of a JSON text. The texts of numbers and strings stay as they were sent. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'literal'
  /** The member name, still in JSON notation, or the index; undefined for the root. */
  readonly key: string | number | undefined
  readonly depth: number
  /** The range in the text. */
  readonly start: number
  end: number
  /** The children of an object or array. Repeated names stay. */
  readonly children: JsonNode[] | undefined
}

const endOfPrimitive = /[\s,\]}]/g

/**
 * Scans a JSON text into nodes. In contrast to `JSON.parse`, large numbers, repeated names and the order of names stay, and
 * no recursion limits the depth.
 *
 * @returns undefined for text that is not JSON
 */
export function scanJson(text: string): JsonNode | undefined {
  if (!isJson(text)) return undefined
  const stack: JsonNode[] = []
  let root: JsonNode | undefined
  let key: string | undefined
  let at = 0

  const add = (kind: JsonNode['kind'], start: number, end: number, children?: JsonNode[]): JsonNode => {
    const parent = stack.at(-1)
    const node: JsonNode = {
      kind,
      key: parent?.kind === 'array' ? parent.children?.length : key,
      depth: stack.length,
      ...{ start, end, children },
    }
    key = undefined
    if (parent === undefined) root = node
    else parent.children?.push(node)
    return node
  }

  while (at < text.length) {
    const char = text[at]
    if (char === '{' || char === '[') {
      stack.push(add(char === '{' ? 'object' : 'array', at, at, []))
      at += 1
    } else if (char === '}' || char === ']') {
      const closed = stack.pop()
      at += 1
      if (closed) closed.end = at
    } else if (char === '"') {
      const end = findStringEnd(text, at)
      if (stack.at(-1)?.kind === 'object' && key === undefined) key = text.slice(at, end)
      else add('string', at, end)
      at = end
    } else if (char !== undefined && /[-\d]/.test(char)) {
      at = add('number', at, findPrimitiveEnd(text, at)).end
    } else if (char === 't' || char === 'f' || char === 'n') {
      at = add('literal', at, findPrimitiveEnd(text, at)).end
    } else {
      // Space, a comma or a colon.
      at += 1
    }
  }
  return root
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function findStringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}

function findPrimitiveEnd(text: string, start: number): number {
  endOfPrimitive.lastIndex = start
  return endOfPrimitive.exec(text)?.index ?? text.length
}
