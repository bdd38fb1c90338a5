import { SallyportError } from '@sallyport/errors'
import { requireUnambiguous } from './ambiguous-paths.ts'
import { integerOption } from './options.ts'
import { decodeSegment, decodeUnencoded, parseTemplate, splitPath, type PathSegment } from './route-path.ts'
import type { AnyRoute, RouteMethod } from './route.ts'

/** The route that answers a method and path. */
export type RouteMatch<B extends { readonly route: AnyRoute }> =
  | {
      readonly kind: 'route'
      readonly binding: B
      readonly params: Readonly<Record<string, string>>
      /** Whether the method is HEAD, which is answered like GET without the body. */
      readonly head: boolean
      /** The value of `Allow`. */
      readonly allow: string
    }
  | {
      /** The host answers 204 with `Allow`. */
      readonly kind: 'options'
      readonly allow: string
    }

export interface Router<B extends { readonly route: AnyRoute }> {
  /**
   * Matches a method and an undecoded path without query. A literal segment takes precedence over a
   * parameter, and a parameter with a text such as `{id}:publish` over one without. Paths
   * are case-sensitive, and a trailing slash makes a different path.
   *
   * @throws SallyportError `NOT_FOUND` (404), `METHOD_NOT_ALLOWED` (405, with `Allow`), `BAD_REQUEST` (400) for a
   * path that is not valid percent-encoding or contains NUL, `URI_TOO_LONG` (414)
   */
  readonly match: (method: string, path: string) => RouteMatch<B>
  readonly bindings: readonly B[]
}

export interface RouterOptions {
  /**
   * Path prefixes of every route, the canonical prefix first.
   *
   * @default ['']
   */
  readonly prefixes?: readonly string[]
  /**
   * Maximum length of a path in characters.
   *
   * @default 2048
   */
  readonly maxPathLength?: number
}

interface AffixedParameter<B> {
  readonly prefix: string
  readonly suffix: string
  readonly node: Node<B>
}

interface Node<B> {
  readonly literals: Map<string, Node<B>>
  parameter: Node<B> | undefined
  /** Parameters with a text before or after them, the longest texts first. */
  affixed: readonly AffixedParameter<B>[]
  readonly methods: Map<RouteMethod, { readonly binding: B; readonly names: readonly string[] }>
  template: string
  /** The value of `Allow`. */
  allow: string
}

/**
 * Creates a router from routes or route bindings.
 *
 * HEAD is answered wherever GET is, and OPTIONS for every path.
 *
 * @throws TypeError when two routes share a method and path, or an operationId; when a path with a text such as `{id}.json`
 * takes requests of another path such as `{id}`; and for an option out of range
 */
export function createRouter<B extends { readonly route: AnyRoute }>(
  bindings: readonly B[],
  { prefixes = [''], maxPathLength = 2048 }: RouterOptions = {},
): Router<B> {
  integerOption('maxPathLength', maxPathLength, 1)
  const root = createNode<B>()
  const ids = bindings.map(({ route }) => route.operationId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new TypeError(`Two routes have the operationId ${twice}`)
  for (const prefix of prefixes) {
    for (const binding of bindings) {
      const { path } = binding.route
      insert(root, prefix === '' ? path : path === '/' ? prefix : prefix + path, binding)
    }
  }
  requireUnambiguous(bindings.map(({ route }) => route.path))
  return {
    bindings,
    match(method, path) {
      const values: string[] = []
      const node = find(root, splitPath(path, maxPathLength), 0, values)
      if (node === undefined) throw new SallyportError('NOT_FOUND', 'The path does not exist')
      const { allow } = node
      const head = method === 'HEAD'
      const entry = node.methods.get((head ? 'GET' : method) as RouteMethod)
      if (entry !== undefined) {
        const params = Object.fromEntries(entry.names.map((name, index) => [name, values[index] ?? '']))
        return { kind: 'route', binding: entry.binding, params, head, allow }
      }
      if (method === 'OPTIONS') return { kind: 'options', allow }
      throw new SallyportError('METHOD_NOT_ALLOWED', `Use one of: ${allow}`, { headers: { Allow: allow } })
    },
  }
}

/** Formats the value of `Allow` for the methods of a resource; adds HEAD for GET, and OPTIONS. */
export function getAllowHeader(methods: readonly RouteMethod[]): string {
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const allowed = new Set<string>([...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])])
  return all.filter((method) => allowed.has(method)).join(', ')
}

function createNode<B>(): Node<B> {
  return {
    literals: new Map(),
    parameter: undefined,
    affixed: [],
    methods: new Map(),
    template: '',
    allow: '',
  }
}

function insert<B extends { readonly route: AnyRoute }>(root: Node<B>, template: string, binding: B): void {
  const names: string[] = []
  let node = root
  for (const segment of parseTemplate(template)) {
    if (segment.kind === 'parameter') {
      names.push(segment.name)
      node = insertParameter(node, segment)
    } else {
      const next: Node<B> = node.literals.get(segment.text) ?? createNode()
      node.literals.set(segment.text, next)
      node = next
    }
  }
  const { method } = binding.route
  if (node.methods.has(method)) throw new TypeError(`Two routes declare ${method} ${template}`)
  if (node.template !== '' && node.template !== template) {
    throw new TypeError(`${node.template} and ${template} match the same paths`)
  }
  node.template = template
  node.methods.set(method, { binding, names })
  node.allow = getAllowHeader([...node.methods.keys()])
}

function insertParameter<B>(
  node: Node<B>,
  { prefix, suffix }: Pick<AffixedParameter<B>, 'prefix' | 'suffix'>,
): Node<B> {
  if (prefix === '' && suffix === '') return (node.parameter ??= createNode())
  const known = node.affixed.find((other) => other.prefix === prefix && other.suffix === suffix)
  if (known !== undefined) return known.node
  const added = { prefix, suffix, node: createNode<B>() }
  const length = (one: AffixedParameter<B>) => one.prefix.length + one.suffix.length
  node.affixed = [...node.affixed, added].sort((a, b) => length(b) - length(a))
  return added.node
}

/**
 * Searches depth-first: literals, then parameters with a text, then other parameters. `values` collects the parameters on the
 * path to the node.
 */
function find<B>(
  node: Node<B>,
  segments: readonly PathSegment[],
  index: number,
  values: string[],
): Node<B> | undefined {
  const segment = segments[index]
  if (segment === undefined) return node.methods.size > 0 ? node : undefined
  const literal = node.literals.get(segment.text)
  const found = literal && find(literal, segments, index + 1, values)
  if (found !== undefined || segment.raw === '') return found
  for (const { below, value } of matchParameters(node, segment)) {
    values.push(value)
    const target = find(below, segments, index + 1, values)
    if (target !== undefined) return target
    values.pop()
  }
  return undefined
}

/** A percent-encoded `:` belongs to the value of a parameter, and a plain one to the text around it. */
function* matchParameters<B>({ affixed, parameter }: Node<B>, { raw, text }: PathSegment) {
  const sent = affixed.length === 0 ? raw : decodeUnencoded(raw)
  for (const { prefix, suffix, node } of affixed) {
    const isLonger = sent.length > prefix.length + suffix.length
    if (isLonger && sent.startsWith(prefix) && sent.endsWith(suffix))
      yield { below: node, value: decodeSegment(sent.slice(prefix.length, sent.length - suffix.length)) }
  }
  if (parameter !== undefined) yield { below: parameter, value: text }
}
