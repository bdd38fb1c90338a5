import { SallyportError } from '@sallyport/errors'
import { integerOption } from './options.ts'
import { parseTemplate, splitPath } from './route-path.ts'
import type { AnyRoute, RouteMethod } from './route.ts'

/** What a method and path lead to. */
export type RouteMatch<B extends { readonly route: AnyRoute }> =
  | {
      readonly kind: 'route'
      readonly binding: B
      readonly params: Readonly<Record<string, string>>
      /** Whether the method is HEAD: answered like GET, without the body. */
      readonly head: boolean
      /** The value of `Allow`. */
      readonly allow: string
    }
  | {
      /** Answered 204 with `Allow`. */
      readonly kind: 'options'
      readonly allow: string
    }

export interface Router<B extends { readonly route: AnyRoute }> {
  /**
   * Finds what answers a method and an undecoded path (without query). A literal segment wins over a parameter;
   * paths are case-sensitive and a trailing slash makes another path.
   *
   * @throws SallyportError `NOT_FOUND` (404), `METHOD_NOT_ALLOWED` (405, with `Allow`), `BAD_REQUEST` (400) for a
   * path that is not valid percent-encoding or holds NUL, `URI_TOO_LONG` (414)
   */
  readonly match: (method: string, path: string) => RouteMatch<B>
  readonly bindings: readonly B[]
}

export interface RouterOptions {
  /**
   * Path prefixes that every route is under, the canonical one first.
   *
   * @default ['']
   */
  readonly prefixes?: readonly string[]
  /**
   * Longest path that is looked at, in characters.
   *
   * @default 2048
   */
  readonly maxPathLength?: number
}

interface Node<B> {
  readonly literals: Map<string, Node<B>>
  parameter: Node<B> | undefined
  readonly methods: Map<RouteMethod, { readonly binding: B; readonly names: readonly string[] }>
  template: string
  /** The value of `Allow`. */
  allow: string
}

/**
 * Compiles routes (alone, or bound to handlers) into a matcher.
 *
 * HEAD is answered wherever GET is, OPTIONS everywhere.
 *
 * @throws TypeError when two routes are the same method and path, or share an operationId; for an option out of range
 *
 * @example
 * ```ts
 * import { bindRoute, createRouter, defineRoute } from '@sallyport/rest'
 *
 * const ping = defineRoute({
 *   method: 'GET',
 *   path: '/ping',
 *   operationId: 'ping',
 *   summary: 'Ping',
 *   access: 'public',
 *   responses: { 204: { description: 'Pong' } },
 * })
 * const router = createRouter([bindRoute(ping, () => ({ status: 204 }))], { prefixes: ['/api/v1', '/v1'] })
 * router.match('GET', '/v1/ping').kind // 'route'
 * ```
 */
export function createRouter<B extends { readonly route: AnyRoute }>(
  bindings: readonly B[],
  { prefixes = [''], maxPathLength = 2048 }: RouterOptions = {},
): Router<B> {
  integerOption('maxPathLength', maxPathLength, 1)
  const root = emptyNode<B>()
  const ids = bindings.map(({ route }) => route.operationId)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw new TypeError(`Two routes have the operationId ${twice}`)
  for (const prefix of prefixes) {
    for (const binding of bindings) {
      const { path } = binding.route
      insert(root, prefix === '' ? path : path === '/' ? prefix : prefix + path, binding)
    }
  }
  return {
    bindings,
    match(method, path) {
      const values: string[] = []
      const node = find(root, splitPath(path, maxPathLength), 0, values)
      if (node === undefined) throw new SallyportError('NOT_FOUND', 'There is nothing at this path')
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

/** The value of `Allow` for the methods of a resource: HEAD where GET is, and OPTIONS. */
export function allowOf(methods: readonly RouteMethod[]): string {
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const allowed = new Set<string>([...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])])
  return all.filter((method) => allowed.has(method)).join(', ')
}

function emptyNode<B>(): Node<B> {
  return { literals: new Map(), parameter: undefined, methods: new Map(), template: '', allow: '' }
}

function insert<B extends { readonly route: AnyRoute }>(root: Node<B>, template: string, binding: B): void {
  const names: string[] = []
  let node = root
  for (const segment of parseTemplate(template)) {
    if (segment.kind === 'parameter') {
      names.push(segment.name)
      node = node.parameter ??= emptyNode()
    } else {
      const next: Node<B> = node.literals.get(segment.text) ?? emptyNode()
      node.literals.set(segment.text, next)
      node = next
    }
  }
  const { method } = binding.route
  if (node.methods.has(method)) throw new TypeError(`Two routes are ${method} ${template}`)
  if (node.template !== '' && node.template !== template) {
    throw new TypeError(`${node.template} and ${template} are one path under two names`)
  }
  node.template = template
  node.methods.set(method, { binding, names })
  node.allow = allowOf([...node.methods.keys()])
}

/** Depth-first, literals first; `values` holds the parameters of the way that leads to the node. */
function find<B>(
  node: Node<B>,
  segments: readonly string[],
  index: number,
  values: string[],
): Node<B> | undefined {
  const segment = segments[index]
  if (segment === undefined) return node.methods.size > 0 ? node : undefined
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, index + 1, values)
  if (found !== undefined || node.parameter === undefined || segment === '') return found
  values.push(segment)
  const below = find(node.parameter, segments, index + 1, values)
  if (below === undefined) values.pop()
  return below
}
